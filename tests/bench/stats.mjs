// Medians, and how far the measurements of one thing lie apart.

/** What is in the middle; of an even number, the mean of the two. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What a share of the numbers does not exceed. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

/** One measurement of many, as `{ median, low, high }`. Throws where something was not measured. */
export function summary(numbers) {
  if (numbers.length === 0 || !numbers.every(Number.isFinite)) throw new Error(`not measured: ${numbers.join(', ') || 'nothing'}`);
  return { median: median(numbers), low: Math.min(...numbers), high: Math.max(...numbers) };
}
