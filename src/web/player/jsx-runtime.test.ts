import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRenderer, Fragment, jsx } from './jsx-runtime.ts'
import { keepServerMarkup } from './keep-server-markup.ts'
import { createMemoryElement, MemoryNode } from './testing/memory-dom.ts'

type Tree =
  | string
  | null
  | { tag: string; id?: string; key?: string; isList: boolean; children: Tree[] }

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('un', 'deux', 'trois', '', null),
    fc.record(
      {
        tag: fc.constantFrom('p', 'label', 'span'),
        id: fc.constantFrom('a', 'b'),
        key: fc.constantFrom('1', '2', '3', '4'),
        isList: fc.boolean(),
        children: fc.array(tie('tree'), { maxLength: 4 }),
      },
      { requiredKeys: ['tag', 'isList', 'children'] },
    ),
  ),
})).tree

/** Returns the tree as nodes. Keys are unique among siblings, as React requires. */
const draw = (tree: Tree): ReturnType<typeof jsx> | string | null => {
  if (typeof tree === 'string' || tree === null) return tree
  const { tag, id, key, isList, children } = tree
  const known = new Set<string>()
  const drawn = children.map((child) => {
    if (typeof child !== 'object' || child === null || child.key === undefined) return draw(child)
    const isRepeated = known.has(child.key)
    known.add(child.key)
    return draw(isRepeated ? { ...child, key: undefined } : child)
  })
  const node = jsx(tag, { className: id, children: drawn }, key)
  return isList ? jsx(Fragment, { children: [node, 'fin'] }) : node
}

test('an element that changes from one tree to others shows each as if it were the first', () =>
  fc.assert(
    fc.property(fc.array(trees, { minLength: 2, maxLength: 4 }), (shown) => {
      const changing = createMemoryElement()
      const render = createRenderer(changing)
      for (const tree of shown) {
        render(draw(tree))
        const fresh = createMemoryElement()
        createRenderer(fresh)(draw(tree))
        assert.equal(changing.innerHTML, fresh.innerHTML)
      }
    }),
  ))

test('markup of the server is kept where it is right and replaced elsewhere', () =>
  fc.assert(
    fc.property(trees, trees, (served, tree) => {
      const element = createMemoryElement()
      createRenderer(element)(draw(served))
      const kept = [...element.childNodes]
      element.insertBefore(new MemoryNode('#comment') as MemoryNode & Element, null)
      createRenderer(element)(draw(served))
      assert.deepEqual(element.childNodes.slice(0, -1), kept)
      createRenderer(element)(draw(tree))
      const fresh = createMemoryElement()
      createRenderer(fresh)(draw(tree))
      // Attributes of the server stay, such as the address of a form.
      const bare = ({ innerHTML }: MemoryNode) => innerHTML.replace(/<!-- -->| class="."/g, '')
      assert.equal(bare(element), bare(fresh))
    }),
  ))

test('an element keeps its place when elements before it appear, and moves with its key', () => {
  const element = createMemoryElement()
  const render = createRenderer(element)
  const show = (hasHint: boolean, order: string) =>
    render(
      jsx('form', {
        children: [
          hasHint && jsx('p', { children: 'Aide' }),
          jsx('input', {}),
          [...order].map((key) => jsx('label', { children: key }, key)),
        ],
      }),
    )
  show(false, 'abc')
  const [input, a, b, c] = element.childNodes[0]?.childNodes ?? []
  show(true, 'cab')
  assert.deepEqual(element.childNodes[0]?.childNodes.slice(1), [input, c, a, b])
})

test('a new text replaces the translation of the old one, and an unchanged text leaves it', () => {
  const element = createMemoryElement()
  const render = createRenderer(element)
  const show = (title: string, hint: string | false) =>
    render([jsx('h1', { children: title }), jsx('p', { children: hint })] as never)
  show('Titre', 'Une question')
  for (const { childNodes } of element.childNodes) {
    const [text] = childNodes
    text?.parentNode?.insertBefore(new MemoryNode('font', '[traduit]'), text)
    text?.remove()
  }
  show('Titre', false)
  assert.deepEqual(
    element.childNodes.map(({ textContent }) => textContent),
    ['[traduit]', ''],
  )
  show('Autre', 'Suite')
  assert.equal(element.innerHTML, '<h1>Autre</h1><p>Suite</p>')
})

test('attributes follow their values, and texts have French spaces', () => {
  const element = createMemoryElement()
  const render = createRenderer(element)
  const show = (props: object) => render(jsx('button', { ...props, children: 'Prêt ?' }))
  show({ className: 'q-next', disabled: true, 'aria-pressed': false, tabIndex: -1, title: null })
  assert.equal(
    element.innerHTML,
    '<button aria-pressed="false" class="q-next" disabled="" tabIndex="-1">Prêt\u202f?</button>',
  )
  const onClick = () => undefined
  show({ 'aria-pressed': true, disabled: false, onClick })
  assert.equal(element.innerHTML, '<button aria-pressed="true">Prêt\u202f?</button>')
  assert.equal(Object(element.childNodes[0]).onclick, onClick)
})

test('a kept element stays as the server has rendered it until it has content of its own', () => {
  const element = createMemoryElement()
  createRenderer(element)(jsx('span', { className: 'q-picture', children: jsx('img', {}) }))
  const [picture] = element.childNodes
  const served = element.innerHTML
  const render = createRenderer(element)
  render(keepServerMarkup(jsx('span', {})))
  render(keepServerMarkup(jsx('span', {})))
  assert.equal(element.innerHTML, served)
  render(jsx('span', { className: 'q-light', children: 'Image' }))
  assert.equal(element.innerHTML, '<span class="q-light">Image</span>')
  assert.equal(element.childNodes[0], picture)
})
