/** Shapes on a grid of 16: a globe, a grid of dots, an envelope, lines of text, a server, an arrow that turns. */
export const recordTypeMarks: Readonly<Record<string, readonly [color: string, path: string]>> = {
  A: ['#3b7dd8', 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM2 8h12M8 2c3 3.5 3 8.5 0 12M8 2c-3 3.5-3 8.5 0 12'],
  AAAA: ['#8057d8', 'M8 1.8 13.4 5v6L8 14.2 2.6 11V5zM8 5.2v5.6M5.6 6.6l4.8 2.8M10.4 6.6l-4.8 2.8'],
  MX: ['#c2571a', 'M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5'],
  TXT: ['#2f8f5b', 'M3 4h10M3 8h10M3 12h6'],
  NS: ['#b8467f', 'M3 3h10v4H3zM3 9h10v4H3zM5.5 5v.1M5.5 11v.1'],
  CNAME: ['#17818f', 'M3 12.5V8a3 3 0 0 1 3-3h7M10 2l3 3-3 3'],
}
/** Of any other type. */
export const otherMark = ['#6b7280', 'M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3zM8 7.9v.2'] as const
