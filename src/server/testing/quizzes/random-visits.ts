import fc from 'fast-check'

/** Random visits with a submission to the quiz of `publishPathQuiz`. */
export const randomVisits = fc.record({
  /** Published version that the visitor opened. */
  version: fc.constantFrom(1, 2),
  way: fc.nat(2),
  several: fc.subarray([0, 1, 2], { maxLength: 2 }),
  isOther: fc.boolean(),
  scale: fc.integer({ min: 0, max: 5 }),
  email: fc.constantFrom('ada@exemple.fr', 'ADA@exemple.fr', 'zoe@exemple.fr', 'eve@exemple.fr'),
  /** Number of days before today. */
  day: fc.nat(9),
  seconds: fc.option(fc.integer({ min: 1, max: 9_000 })),
  consent: fc.option(fc.nat(1)),
  isDelivered: fc.boolean(),
  isRemoved: fc.boolean(),
})
/** Visit with its replies, day, duration, consent and later fate. */
export type Visit = typeof randomVisits extends fc.Arbitrary<infer V> ? V : never
/** Random counts of visits that reached a step, as tuples of version, day, step and count. */
export const randomStepCounts = fc.array(
  fc.tuple(fc.constantFrom(1, 2), fc.nat(9), fc.integer({ min: 1, max: 4 }), fc.nat(20)),
  {
    maxLength: 8,
  },
)
