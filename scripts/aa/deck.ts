/**
 * Deals hands from a shuffled deck: no card twice in a hand, and every card as often as any other, give or take one. Hands are disjoint until the
 * deck has been dealt once.
 */
export class Deck<Card> {
  private left: Card[] = [];

  constructor(
    private readonly cards: readonly Card[],
    private readonly random: () => number,
  ) {}

  deal(count: number): Card[] {
    if (count > this.cards.length)
      throw new RangeError(`a hand of ${count} needs as many cards, there are ${this.cards.length}`);
    const hand = this.left.splice(0, count);
    if (hand.length === count) return hand;
    const held = new Set(hand);
    const fresh = this.shuffled();
    // What the last of the old deck has in the hand comes last in the new one: it is dealt then, not twice now.
    const rest = [...fresh.filter((card) => !held.has(card)), ...fresh.filter((card) => held.has(card))];
    hand.push(...rest.splice(0, count - hand.length));
    this.left = rest;
    return hand;
  }

  private shuffled(): Card[] {
    const cards = [...this.cards];
    for (let last = cards.length - 1; last > 0; last--) {
      const other = Math.floor(this.random() * (last + 1));
      [cards[last], cards[other]] = [cards[other]!, cards[last]!];
    }
    return cards;
  }
}
