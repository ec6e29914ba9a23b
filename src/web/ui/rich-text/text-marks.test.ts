import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { insertText, type Mark, markText, type TextEdit } from './text-marks.ts'

/** Reads a text in which two bars enclose the selection, or one bar marks the caret. */
const read = (shown: string): [text: string, start: number, end: number] => {
  const [before = '', inside = '', after] = shown.split('|')
  return after === undefined
    ? [before + inside, before.length, before.length]
    : [before + inside + after, before.length, before.length + inside.length]
}
const show = (text: string, { from, to, insert, selection: [start, end] }: TextEdit): string => {
  const edited = text.slice(0, from) + insert + text.slice(to)
  const bar = start === end ? '' : '|'
  return `${edited.slice(0, start)}|${edited.slice(start, end)}${bar}${edited.slice(end)}`
}

const cases: [mark: Mark, before: string, after: string][] = [
  ['strong', 'un |mot| fort', 'un **|mot|** fort'],
  ['strong', 'un **|mot|** fort', 'un |mot| fort'],
  ['strong', 'un |**mot**| fort', 'un |mot| fort'],
  ['strong', 'un |mot |fort', 'un **|mot|** fort'],
  ['strong', 'un m|ot fort', 'un **|mot|** fort'],
  ['strong', 'un | fort', 'un **|** fort'],
  ['strong', 'un **|** fort', 'un | fort'],
  ['strong', 'un **mot|** fort', 'un **mot**| fort'],
  ['strong', '|- a\n- b|', '|- **a**\n- **b**|'],
  ['strong', '|- **a**\n\n- **b**|', '|- a\n\n- b|'],
  ['em', 'un **|mot|** fort', 'un ***|mot|*** fort'],
  ['em', 'un ***|mot|*** fort', 'un **|mot|** fort'],
  ['strong', 'un ***|mot|*** fort', 'un *|mot|* fort'],
  ['em', 'un |mot| fort', 'un *|mot|* fort'],
  ['link', 'lire |ici|', 'lire [ici](|https://|)'],
  ['link', 'lire |https://a.fr|', 'lire [|texte|](https://a.fr)'],
  ['link', 'lire |', 'lire [|texte|](https://)'],
  ['list', 'a|', '- a|'],
  ['list', '- a|', 'a|'],
  ['list', 'avant\n|a\n\nb|\naprès', 'avant\n|- a\n\n- b|\naprès'],
  ['list', '|- a\n- b|', '|a\nb|'],
  ['list', '|', '- |'],
]

describe('markText', () => {
  for (const [mark, before, after] of cases)
    test(`the mark ${mark} is applied to ${JSON.stringify(before)}`, () => {
      const selected = read(before)
      assert.equal(show(selected[0], markText(...selected, mark)), after)
    })
})

test('insertText replaces the selection', () => {
  const [text, start, end] = read('Bonjour |vous| !')
  assert.equal(show(text, insertText(start, end, '{{nom}}')), 'Bonjour {{nom}}| !')
})
