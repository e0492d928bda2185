// Things that may not wait for the program, or depend on it: the language and theme of the first paint, the moment of
// that paint, copying, and the overlay that says that the program has crashed.
(function () {
  var root = document.documentElement, kept = {};
  try {
    kept.language = localStorage.getItem('todowrite-playground.language');
    kept.theme = localStorage.getItem('todowrite-playground.theme');
  } catch (denied) { /* storage is denied: the defaults do */ }
  var languages = navigator.languages && navigator.languages.length ? navigator.languages : [navigator.language || 'en'];
  root.lang = kept.language || (/^zh\b/i.test(languages[0]) ? 'zh-CN' : 'en');
  if (/^zh/.test(root.lang)) document.title = 'TodoWrite 演练场';
  if (kept.theme === 'light' || kept.theme === 'dark') root.dataset.theme = kept.theme;

  // Kept when the static page is on the screen: to start the program before would delay what a reader can read. A page
  // that isn't looked at is not painted, and a browser may tell no paint: neither is waited for.
  window.painted = new Promise(function (kept) {
    if (document.hidden || typeof PerformanceObserver !== 'function') return kept();
    new PerformanceObserver(function (list) {
      if (list.getEntriesByName('first-contentful-paint').length) kept();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(kept, 1000);
  });

  function element(name, text, parent, more) {
    var made = document.createElement(name);
    if (text) made.textContent = text;
    Object.assign(made, more || {});
    parent.appendChild(made);
    return made;
  }

  // Copying, also where there is no clipboard (pages that came by http: from another machine) or it refuses; and it is said.
  function byHand(text) {
    var focus = document.activeElement, field = element('textarea', '', document.body, { value: text });
    field.select();
    var done = document.execCommand('copy');
    field.remove();
    if (focus) focus.focus();
    say(done ? ['Copied', '已复制'] : ['The browser does not allow copying: select the text and copy it yourself', '浏览器不允许复制：请自行选中文本再复制']);
  }
  function say(words) {
    var told = document.querySelector('.told') || element('div', '', document.body, { className: 'told' });
    told.setAttribute('role', 'status');
    // A moment later, so that the box is there before its words and a screen reader tells them.
    setTimeout(function () { told.textContent = words[/^zh/.test(root.lang) ? 1 : 0]; }, 50);
    clearTimeout(say.end);
    say.end = setTimeout(function () { told.textContent = ''; }, 3000);
  }
  window.copyText = function (text) {
    if (!navigator.clipboard) return byHand(text);
    navigator.clipboard.writeText(text).then(function () { say(['Copied', '已复制']); }, function () { byHand(text); });
  };

  // report: { title, advice, save, reload, message, log: address or null }
  window.showCrash = function (report) {
    if (document.querySelector('.crash')) return;
    var box = element('div', '', document.body, { className: 'crash' });
    box.setAttribute('role', 'alertdialog');
    box.setAttribute('aria-modal', 'true');
    var inner = element('div', '', box);
    element('h2', report.title, inner);
    element('p', report.advice, inner);
    element('pre', report.message, inner);
    var answers = element('div', '', inner, { className: 'answers' });
    if (report.log) element('a', report.save, answers, { href: report.log, download: 'todowrite-run.jsonl', className: 'button primary' });
    element('button', report.reload, answers, { type: 'button', onclick: function () { location.reload(); } });
    answers.firstChild.focus();
  };

  // A file that is dropped beside the panel that takes it would be opened in the page's place.
  ['dragover', 'drop'].forEach(function (kind) {
    window.addEventListener(kind, function (event) {
      if (event.dataTransfer && Array.prototype.indexOf.call(event.dataTransfer.types, 'Files') >= 0) event.preventDefault();
    });
  });

  // A trap in the program; most have shown their own report by now, which then stays.
  function broken(error) { return typeof WebAssembly === 'object' && error instanceof WebAssembly.RuntimeError; }

  // The program itself did not arrive or could not start. Said in both languages, since nobody is there to choose.
  function failed(why) {
    var zh = /^zh/.test(root.lang), started = !document.querySelector('.skeleton');
    window.showCrash({
      title: zh ? '页面程序无法运行' : "The page's program can't run",
      advice: started ? (zh ? '请重新加载页面，并把下面的信息反馈给我们。' : 'Reload the page, and please report the message below.')
        : (zh ? '请检查网络后重新加载；需要支持 WebAssembly 的较新浏览器。' : 'Check the network and reload; a recent browser with WebAssembly is needed.'),
      reload: zh ? '重新加载页面' : 'Reload the page', message: String(why), log: null
    });
  }
  window.addEventListener('unhandledrejection', function (event) {
    if (document.querySelector('.skeleton') || broken(event.reason)) failed(event.reason);
  });
  window.addEventListener('error', function (event) {
    if (broken(event.error)) failed(event.message);
    else if (document.querySelector('.skeleton') && (event.message || event.target !== window)) failed(event.message || 'A part of the page did not load.');
  }, true);
})();
