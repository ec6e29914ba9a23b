import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameCode } from './embed-code.ts'

test('the frame has the address for frames, its size, and no inline style', () => {
  const frame = {
    link: 'https://quiz.example/q/rythme',
    title: 'Rythme',
    width: '100%',
    height: 600,
  }
  assert.equal(
    frameCode(frame),
    '<iframe src="https://quiz.example/q/rythme?embed=1" title="Rythme" width="100%" height="600" frameborder="0" loading="lazy"></iframe>',
  )
})

test('markup and quotes in the title stay text', () => {
  for (const [title, shown] of [
    ['"><script>', '&quot;&gt;&lt;script&gt;'],
    ['a & b &amp; c', 'a &amp; b &amp;amp; c'],
    ['L’été d’une « amie »', 'L’été d’une « amie »'],
    ['', ''],
  ] as const)
    assert.ok(
      frameCode({ link: 'https://quiz.example/q/1', title, width: 300, height: 1 }).includes(
        ` title="${shown}" width="300"`,
      ),
      title,
    )
})
