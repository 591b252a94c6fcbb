/** A share for people: `12 of 2,323 checks (0.5 %)`. A part that is not nothing never reads as nothing, nor a missing one as all. */
export function share(part: number, whole: number, noun = ''): string {
  return `${count(part)} of ${count(whole)}${noun === '' ? '' : ` ${noun}`}${whole === 0 ? '' : ` (${percent(part, whole)})`}`;
}

function percent(part: number, whole: number): string {
  if (part === 0) return '0 %';
  if (part >= whole) return '100 %';
  return `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)} %`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
