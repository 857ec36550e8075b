/** A small fast seeded generator (sfc32): the same seed gives the same values on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;
  private readonly low: number;
  private readonly high: number;

  /** Seeds are whole numbers of up to 53 bits; see `hashSeed` for making one out of several. */
  constructor(seed: number) {
    this.a = 0;
    this.b = seed | 0;
    this.c = Math.floor(seed / 2 ** 32) | 0;
    this.low = this.b ^ avalanche(this.c ^ 0x5bd1e995);
    this.high = this.c ^ avalanche(this.b ^ 0x1b56c4e9);
    // sfc32 needs some rounds until near seeds have drifted apart.
    for (let round = 0; round < 15; round++) this.uint32();
  }

  /**
   * Goes to the values that belong to a number of up to 53 bits, such as a call's: they depend on the seed and on it, and not on what was drawn
   * before. No two numbers below 2³² share a state.
   */
  seek(place: number): void {
    const low = place | 0;
    const high = place < 2 ** 32 ? 0 : avalanche(Math.floor(place / 2 ** 32) | 0);
    this.a = avalanche(low ^ this.low) ^ high;
    this.b = avalanche((low + this.high) | 0) + high;
    this.c = avalanche(Math.imul(low, 0x2c1b3c6d) ^ this.low ^ this.high ^ high);
    this.counter = 1;
    this.uint32();
    this.uint32();
  }

  /** A whole number in 0 … 2³²−1. */
  uint32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number in [0, 1), in steps of 2⁻³². */
  next(): number {
    return this.uint32() / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    const span = max - min + 1;
    if (span <= 2 ** 32) return min + Math.floor(this.next() * span);
    const wide = (this.uint32() * 2 ** 21 + (this.uint32() >>> 11)) / 2 ** 53;
    return min + Math.floor(wide * span);
  }
}

/** One seed of 53 bits out of several whole numbers, such that a change in any of them gives an unrelated one. */
export function hashSeed(...numbers: number[]): number {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (const number of numbers) {
    low = mixIn(mixIn(low, number | 0), Math.floor(number / 2 ** 32) | 0);
    high = mixIn(mixIn(high, Math.floor(number / 2 ** 32) | 0), number | 0);
  }
  return (avalanche(high ^ numbers.length) >>> 11) * 2 ** 32 + (avalanche(low ^ numbers.length) >>> 0);
}

// The two steps of MurmurHash3.
function mixIn(hash: number, word: number): number {
  const scrambled = Math.imul(word, 0xcc9e2d51);
  const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function avalanche(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
