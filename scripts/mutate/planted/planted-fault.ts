/** Realistic fault of one place in the product. */
export type PlantedFault = {
  /** Short name that says what is wrong. */
  name: string
  file: string
  /** Text that occurs exactly once in the file. */
  from: string
  /** Text that replaces `from`. */
  to: string
  /** Test file that runs first, because it is far from the fault, behind many others or in `test:all` only. */
  test?: string
  /** File with journeys tagged '@dom' that use the screen of the fault. */
  journey?: string
}
