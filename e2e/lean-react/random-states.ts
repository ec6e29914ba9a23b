import fc from 'fast-check'
import type { Part } from './parts.ts'

/** As the player writes them: the same names every time, and only attributes may be without a value. */
const props = fc.record({
  className: fc.constantFrom('q', 'q-page'),
  id: fc.constantFrom('a', 'b'),
  tabIndex: fc.constantFrom(-1, 0),
  role: fc.constantFrom('status', 'alert'),
  'aria-pressed': fc.boolean(),
  'aria-describedby': fc.constantFrom('q-hint', 'q-error', undefined),
  'data-contrast': fc.constantFrom('more', undefined),
})

const { parts } = fc.letrec<{ part: Part; parts: Part[] }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(null),
    fc.record({
      tag: fc.constantFrom('div', 'span', 'b', 'section'),
      props,
      // A server writes two texts side by side as one: the player has none such, so only the first part is one.
      parts: fc
        .tuple(fc.constantFrom('', 'un', 'deux', null), tie('parts'))
        .map(([text, others]) => [text, ...others]),
    }),
    fc.record({
      component: fc.constantFrom('plain' as const, 'kept' as const),
      key: fc.constantFrom(undefined, '1', '2'),
      parts: tie('parts'),
    }),
    fc.record({ list: tie('parts') }),
  ),
  parts: fc.array(tie('part'), { maxLength: 3 }),
}))

/** What a page shows, one state after another. */
export const randomStates: fc.Arbitrary<Part[]> = fc.array(
  parts.map((list) => ({ list })),
  { minLength: 2, maxLength: 4 },
)
