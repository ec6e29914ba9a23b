/**
 * Hash table of probabilities by packed sums, because a Map takes several times as long. Words are whole numbers from
 * 0; an added share never rounds down to 0.
 */
export class WalkStates {
  /** Words by index, then by slot. */
  #words: Float64Array[]
  #shares = new Float64Array(INITIAL_SLOTS)
  readonly #sum: Float64Array
  size = 0

  constructor(nb_words: number) {
    this.#words = Array.from({ length: nb_words }, () => new Float64Array(INITIAL_SLOTS).fill(FREE))
    this.#sum = new Float64Array(nb_words)
  }

  add(words: ArrayLike<number>, share: number): void {
    const [first] = this.#words as [Float64Array]
    const at = this.#slotOf(words)
    if (first[at] === FREE) {
      this.#put(words, share, at)
      this.size++
      if (this.size * 2 > first.length) this.#grow()
    } else this.#shares[at] = (this.#shares[at] as number) + share
  }

  /** Returns the probability of a state; 0 if no run has it. */
  get(words: ArrayLike<number>): number {
    const at = this.#slotOf(words)
    return this.#words[0]?.[at] === FREE ? 0 : (this.#shares[at] as number)
  }

  /** Calls `read` for each state. The array of words is reused. */
  forEach(read: (words: Float64Array, share: number) => void): void {
    const [first] = this.#words as [Float64Array]
    const words = new Float64Array(this.#words.length)
    for (let at = 0; at < first.length; at++) {
      if (first[at] === FREE) continue
      for (let word = 0; word < words.length; word++)
        words[word] = this.#words[word]?.[at] as number
      read(words, this.#shares[at] as number)
    }
  }

  /** Adds all states of another table, with added points and a factor on their shares. */
  addAll(others: WalkStates, raised: ArrayLike<number>, multiplied: number): void {
    const [first] = others.#words as [Float64Array]
    const shares = others.#shares
    const sum = this.#sum
    for (let at = 0; at < first.length; at++) {
      const key = first[at] as number
      if (key === FREE) continue
      sum[0] = key + (raised[0] as number)
      for (let word = 1; word < sum.length; word++)
        sum[word] = (others.#words[word]?.[at] as number) + (raised[word] as number)
      this.add(sum, Math.max((shares[at] as number) * multiplied, Number.MIN_VALUE))
    }
  }

  /** Returns the slot of a state, or the slot where it would be added. */
  #slotOf(words: ArrayLike<number>): number {
    const all = this.#words
    const [first] = all as [Float64Array]
    const mask = first.length - 1
    const key = words[0] as number
    let hash = hashOf(key)
    for (let word = 1; word < all.length; word++)
      hash = Math.imul(hash, 31) + hashOf(words[word] as number)
    hash ^= hash >>> 15
    let at = hash & mask
    for (; first[at] !== FREE; at = (at + 1) & mask) {
      if (first[at] !== key) continue
      let word = 1
      while (word < all.length && all[word]?.[at] === words[word]) word++
      if (word >= all.length) break
    }
    return at
  }

  #put(words: ArrayLike<number>, share: number, at: number): void {
    for (let word = 0; word < this.#words.length; word++)
      (this.#words[word] as Float64Array)[at] = words[word] as number
    this.#shares[at] = share
  }

  #grow(): void {
    const [old] = this.#words as [Float64Array]
    const all = { words: this.#words, shares: this.#shares }
    const length = old.length * 4
    this.#words = all.words.map(() => new Float64Array(length).fill(FREE))
    this.#shares = new Float64Array(length)
    const words = this.#sum.slice()
    for (let at = 0; at < old.length; at++) {
      if (old[at] === FREE) continue
      for (let word = 0; word < words.length; word++) words[word] = all.words[word]?.[at] as number
      this.#put(words, all.shares[at] as number, this.#slotOf(words))
    }
  }
}

const FREE = -1
const INITIAL_SLOTS = 16

const hashOf = (key: number): number =>
  Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 4_294_967_296) | 0, 0x85ebca6b)
