import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { setFrenchMessages } from './validation.ts'

setFrenchMessages()

const cases: [z.ZodType, unknown, string][] = [
  [z.string(), undefined, 'Ce champ est obligatoire'],
  [z.string(), 12, 'Il faut un texte'],
  [z.int(), 1.5, 'Il faut un nombre entier'],
  [z.boolean(), 'oui', 'Il faut vrai ou faux'],
  [z.array(z.string()), {}, 'Il faut une liste'],
  [z.record(z.string(), z.string()), [], 'Il faut un objet'],
  [z.string().max(3), 'quatre', '3 caractères au plus'],
  [z.array(z.string()).max(1), ['a', 'b'], '1 éléments au plus'],
  [z.int().max(10), 11, '10 au plus'],
  [z.int().min(0), -1, '0 au moins'],
  [z.enum(['quiz', 'sondage']), 'examen', 'Valeurs possibles : quiz, sondage'],
  [z.guid(), 'x', "L'identifiant n'est pas valide"],
  [z.union([z.string(), z.int()]), {}, 'Valeur refusée'],
  [z.strictObject({}), { couleur: 1, taille: 2 }, 'Clé inconnue : couleur'],
  [z.strictObject({}), { ['x'.repeat(1_000)]: 1 }, `Clé inconnue : ${'x'.repeat(60)}`],
]

describe('the French sentences of validation errors', () => {
  for (const [shape, value, expected] of cases)
    test(`a validation error has the French sentence « ${expected} »`, () =>
      assert.equal(shape.safeParse(value).error?.issues[0]?.message, expected))
})
