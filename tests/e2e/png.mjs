// Writes a screenshot as a PNG with a palette: a page has few colours, and the file is a third of what Chromium writes.

import zlib from 'node:zlib';

/** `png` is a screenshot; `page` decodes it, since browsers can. */
export async function withPalette(page, png) {
  const { width, height, colors, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    // The 256 most frequent ones stay as they are; each other becomes the one that is nearest.
    const colors = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([color]) => color);
    const place = new Map(colors.map((color, i) => [color, i]));
    const channels = (color) => [color >> 16, (color >> 8) & 255, color & 255];
    const palette = colors.map(channels);
    for (const color of counts.keys()) {
      if (place.has(color)) continue;
      const own = channels(color);
      const distances = palette.map((other) => own.reduce((sum, value, i) => sum + (value - other[i]) ** 2, 0));
      place.set(color, distances.indexOf(Math.min(...distances)));
    }
    const pixels = [];
    for (let i = 0; i < data.length; i += 4) pixels.push(place.get((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]));
    return { width: image.width, height: image.height, colors, pixels };
  }, png.toString('base64'));

  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // eight bits of palette index for each pixel
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: none
  for (let y = 0; y < height; y += 1) rows.set(pixels.slice(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', zlib.deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
