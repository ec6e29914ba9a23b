/**
 * Hash table of probabilities (shares) by packed sums, several times as fast as a Map. Collisions are resolved by linear
 * probing.
 */
export class StateTable {
  /** Packed sums by word (`Packing`), then by slot. */
  #packed_sums: Float64Array[]
  #shares = new Float64Array(INITIAL_SLOTS)
  /** Reused array for one state. */
  readonly #buffer: Float64Array
  size = 0

  constructor(nb_words: number) {
    this.#packed_sums = Array.from({ length: nb_words }, () =>
      new Float64Array(INITIAL_SLOTS).fill(FREE),
    )
    this.#buffer = new Float64Array(nb_words)
  }

  /** Adds a probability to a state. */
  add(packed_sums: ArrayLike<number>, share: number): void {
    const [first] = this.#packed_sums as [Float64Array]
    const at = this.#slotOf(packed_sums)
    if (first[at] === FREE) {
      this.#put(packed_sums, share, at)
      this.size++
      if (this.size * 2 > first.length) this.#grow()
    } else this.#shares[at] = (this.#shares[at] as number) + share
  }

  /** Returns the probability of a state; 0 if the table does not have it. */
  get(packed_sums: ArrayLike<number>): number {
    const at = this.#slotOf(packed_sums)
    return this.#packed_sums[0]?.[at] === FREE ? 0 : (this.#shares[at] as number)
  }

  /** Calls `read` for each state and its slot. The array that `read` receives is overwritten by the next call. */
  forEach(read: (packed_sums: Float64Array, share: number, slot: number) => void): void {
    const [first] = this.#packed_sums as [Float64Array]
    const packed_sums = new Float64Array(this.#packed_sums.length)
    for (let at = 0; at < first.length; at++) {
      if (first[at] === FREE) continue
      readSlot(this.#packed_sums, at, packed_sums)
      read(packed_sums, this.#shares[at] as number, at)
    }
  }

  /** Returns the packed sums in a slot. */
  at(slot: number): number[] {
    return this.#packed_sums.map((word) => word[slot] as number)
  }

  /**
   * Adds all states of another table after a choice: increases their sums by `points` and multiplies their
   * probabilities by `factor`.
   */
  addAll(others: StateTable, points: ArrayLike<number>, factor: number): void {
    const [first] = others.#packed_sums as [Float64Array]
    const shares = others.#shares
    const sum = this.#buffer
    for (let at = 0; at < first.length; at++) {
      const key = first[at] as number
      if (key === FREE) continue
      sum[0] = key + (points[0] as number)
      for (let word = 1; word < sum.length; word++)
        sum[word] = (others.#packed_sums[word]?.[at] as number) + (points[word] as number)
      this.add(sum, multiplyShares(shares[at] as number, factor))
    }
  }

  /** Returns the slot of a state, or the slot where it would be added. */
  #slotOf(packed_sums: ArrayLike<number>): number {
    const all = this.#packed_sums
    const [first] = all as [Float64Array]
    const mask = first.length - 1
    const key = packed_sums[0] as number
    let hash = hashOf(key)
    for (let word = 1; word < all.length; word++)
      hash = Math.imul(hash, 31) + hashOf(packed_sums[word] as number)
    hash ^= hash >>> 15
    let at = hash & mask
    for (; first[at] !== FREE; at = (at + 1) & mask) {
      if (first[at] !== key) continue
      let word = 1
      while (word < all.length && all[word]?.[at] === packed_sums[word]) word++
      if (word >= all.length) break
    }
    return at
  }

  #put(packed_sums: ArrayLike<number>, share: number, at: number): void {
    for (let word = 0; word < this.#packed_sums.length; word++)
      (this.#packed_sums[word] as Float64Array)[at] = packed_sums[word] as number
    this.#shares[at] = share
  }

  /** Moves all states into a table of four times the size. */
  #grow(): void {
    const [first] = this.#packed_sums as [Float64Array]
    const old = { packed_sums: this.#packed_sums, shares: this.#shares }
    this.#packed_sums = old.packed_sums.map(() => new Float64Array(first.length * 4).fill(FREE))
    this.#shares = new Float64Array(first.length * 4)
    const packed_sums = this.#buffer.slice()
    for (let at = 0; at < first.length; at++) {
      if (first[at] === FREE) continue
      readSlot(old.packed_sums, at, packed_sums)
      this.#put(packed_sums, old.shares[at] as number, this.#slotOf(packed_sums))
    }
  }
}

/** Writes the packed sums of a slot into `to`. */
const readSlot = (from: readonly Float64Array[], slot: number, to: Float64Array): void => {
  for (let word = 0; word < to.length; word++) to[word] = from[word]?.[slot] as number
}

/** Key of a free slot; packed sums are never negative. */
const FREE = -1
const INITIAL_SLOTS = 16

/** Returns a hash of the low and high 32 bits of a whole number. */
const hashOf = (key: number): number =>
  Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 4_294_967_296) | 0, 0x85ebca6b)

/** Returns the product of two probabilities, which is never rounded down to 0, so that possible runs stay possible. */
export const multiplyShares = (a: number, b: number): number => Math.max(a * b, Number.MIN_VALUE)
