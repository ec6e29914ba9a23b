import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ReactNode, Suspense } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Fragment, jsx, jsxs } from './jsx-runtime.ts'

const markup = (node: ReactNode): string => renderToStaticMarkup(node)
const b = jsx('b', {})
const Plain = ({ children }: { children?: ReactNode }) => `[${typeof children}] ${children}`

test('a text without siblings is the content of its element, joined from its parts', () => {
  assert.equal(markup(jsxs('p', { children: ['Page ', 2, ' sur ', 3] })), '<p>Page 2 sur 3</p>')
  assert.equal(markup(jsxs('p', { children: [null, ['Page ', [2]], false] })), '<p>Page 2</p>')
  assert.equal(markup(jsxs('option', { children: ['a', 1] })), '<option>a1</option>')
})

test('a text with siblings stands alone in an element', () => {
  assert.equal(
    markup(jsxs('p', { children: [b, 'Page ', 2, null, ' !', b, ['x', b], ['y', 1]] })),
    '<p><b></b><q-t>Page 2\u202f!</q-t><b></b><q-t>x</q-t><b></b><q-t>y1</q-t></p>',
  )
  assert.equal(
    markup(jsxs('p', { children: [b, jsx(Fragment, { children: 'Prêt ?' })] })),
    '<p><b></b><q-t>Prêt\u202f?</q-t></p>',
  )
})

test('white space between elements stays as it is', () => {
  assert.equal(markup(jsxs('p', { children: [b, ' ', b] })), '<p><b></b> <b></b></p>')
})

test('components of libraries receive their text joined or separated', () => {
  assert.equal(
    markup(jsxs('p', { children: [b, jsxs(Suspense, { children: [b, 'Oui ', 1] })] })),
    '<p><b></b><b></b><q-t>Oui 1</q-t></p>',
  )
  assert.equal(markup(jsxs(Plain, { children: ['a ', 1] })), '[string] a 1')
})

test('a text appears and disappears without moving its siblings to other places', () => {
  const placesOf = (first: ReactNode, second: ReactNode) => {
    const element = jsxs('p', { children: [first, second, b] })
    return (element.props as { children: unknown[] }).children.indexOf(b)
  }
  for (const first of ['a', null, 3])
    for (const second of ['b', false]) assert.equal(placesOf(first, second), 2)
})

test('the shown words do not depend on how a list of children is divided', () => {
  type Part = string | number | null | boolean | Part[]
  const parts = fc.letrec<{ part: Part }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('un', ' ', 'deux ', 3, null, true, ''),
      fc.array(tie('part'), { maxLength: 3 }),
    ),
  })).part
  const wordsOf = (part: Part): string => {
    if (Array.isArray(part)) return part.map(wordsOf).join('')
    return typeof part === 'boolean' ? '' : `${part ?? ''}`
  }
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 5 }), fc.boolean(), (children, has_sibling) => {
      const shown = markup(
        jsxs('p', {
          children: has_sibling ? [...(children as ReactNode[]), b] : (children as ReactNode[]),
        }),
      )
      assert.equal(shown.replaceAll(/<.+?>/g, ''), wordsOf(children))
    }),
  )
})
