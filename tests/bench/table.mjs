// One aligned table. A row is what, measured, bar, verdict, and what there is to compare it with.

export const UNITS = {
  ms: (value) => `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ms`,
  kB: (value) => `${Math.round(value / 1000)} kB`,
  MB: (value) => `${(value / 1e6).toFixed(1)} MB`,
  count: (value) => String(Math.round(value)),
};

/**
 * A row. `measured` is a summary or a number; `bar` is a number that it may not reach (`below`) or not exceed (`at most`).
 * `others` are the cells to compare with: numbers in the row's unit, or texts.
 */
export function row(what, unit, measured, { below, atMost, others = [] } = {}) {
  const say = UNITS[unit];
  const { median, low, high } = typeof measured === 'number' ? { median: measured } : measured;
  const spread = low === undefined || say(low) === say(high) ? '' : ` (${say(low).replace(/ .*/, '')}–${say(high).replace(/ .*/, '')})`;
  const limit = below ?? atMost;
  const holds = below !== undefined ? median < below : median <= atMost;
  return {
    cells: [
      what,
      say(median) + spread,
      limit === undefined ? '' : `${below !== undefined ? '<' : '≤'} ${say(limit)}`,
      limit === undefined ? '' : holds ? 'ok' : 'over',
      ...others.map((other) => (typeof other === 'number' ? say(other) : other)),
    ],
    over: limit !== undefined && !holds,
  };
}

/** A heading inside the table, with the names of the columns below it. */
export const heading = (what, others = []) => ({ cells: [what, 'measured', 'bar', '', ...others], heading: true });

export function print(rows) {
  const widths = [];
  for (const { cells } of rows) cells.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, [...cell].length)));
  // Names are read from the left, numbers compared from the right.
  const align = (cell, i) => (i === 0 || i === 3 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]));
  for (const { cells, heading } of rows) {
    if (heading) console.log();
    console.log(cells.map(align).join('  ').trimEnd());
    if (heading) console.log('-'.repeat(widths.slice(0, cells.length).reduce((sum, width) => sum + width + 2, -2)));
  }
}
