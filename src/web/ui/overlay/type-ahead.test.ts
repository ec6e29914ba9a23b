import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findByFirstLetters } from './type-ahead.ts'

const ACTIONS = ['Renommer', 'Dupliquer', 'Déplacer', 'Dépublier', 'Œuvres', 'Supprimer']

for (const [typed, current, label] of [
  ['d', 0, 'Dupliquer'],
  ['d', 1, 'Déplacer'],
  ['dd', 2, 'Dépublier'],
  ['d', 3, 'Dupliquer'],
  ['de', 1, 'Déplacer'],
  ['dep', 2, 'Déplacer'],
  ['depu', 2, 'Dépublier'],
  ['DÉPU', 0, 'Dépublier'],
  ['oe', 0, 'Œuvres'],
  ['s', -1, 'Supprimer'],
  ['depx', 2, undefined],
  ['\u0301', 0, undefined],
] as const)
  test(`« ${typed} » typed on entry ${current} of a menu leads to ${label ?? 'no entry'}`, () => {
    const index = findByFirstLetters(ACTIONS, typed, current)
    assert.equal(index === undefined ? undefined : ACTIONS[index], label)
  })
