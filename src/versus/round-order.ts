/**
 * Who runs when: a Williams design. In every round all run once; over n rounds (2n where n is odd) each target has
 * stood in each place, and has followed each other target, equally often. Fewer rounds are its first rows, in which nobody always follows
 * the same one.
 */
export function roundOrder(targets: number, rounds: number): number[][] {
  const zigzag = Array.from({ length: targets }, (_, at) =>
    at % 2 === 1 ? (at + 1) / 2 : (targets - at / 2) % targets,
  );
  return Array.from({ length: rounds }, (_, round) => {
    const odd = targets % 2 === 1;
    // Of an odd number both the rows and their mirror images are needed: in turns, so that few rounds have both.
    const shift = odd ? Math.floor(round / 2) : round;
    const row = zigzag.map((target) => (target + shift) % targets);
    return odd && round % 2 === 1 ? row.reverse() : row;
  });
}
