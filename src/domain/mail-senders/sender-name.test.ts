import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PROTECTED_NAMES } from './protected-names.ts'
import { cleanSenderName, senderNameError, shownSenderName } from './sender-name.ts'

for (const name of [
  'Camille Durand',
  'Dupont, Marie',
  'Jean « Bob » "x"',
  'Amélie Durand',
  'Amel L.',
  'La posterité',
  'Les Amazones',
  'Cafés du Monde',
  'Dr. Martin',
  'J.-P. Morel',
  '👩‍🏫 Camille 🎉',
  'École & Co',
  'Banque Alimentaire',
  'Stripes',
  'محمد',
  'Иван Петров',
  'Νίκος',
  '李雷',
])
  test(`a sender may be called « ${name} »`, () => {
    assert.equal(senderNameError(name), undefined)
    assert.equal(shownSenderName(name), name)
  })

for (const name of [
  'Banque de France',
  'BANQUE  DE FRANCE',
  'Bаnque de Frаnce',
  'Banque\u200bde\u00a0France',
  'La Poste',
  'LaPoste',
  'La-Poste',
  'L a P o s t e',
  'Service client La Poste',
  'Impôts',
  'lmpôts',
  'Ιmpοts',
  '𝓘𝓶𝓹𝓸𝓽𝓼',
  'Ameli',
  'AmeIi',
  'PayPal',
  'PayPaI Service',
  'Pаypаl',
  'P a y P a l',
  'P4yP4l',
  'ΡауΡаl',
  'Pay\u202ePal',
  'PayPalService',
  'ᴘᴀʏᴘᴀʟ',
  'Arnazon',
  'Ⓐⓜⓐⓩⓞⓝ',
  '🅰🅼🅰🆉🅾🅽',
  'C.A.F.',
  'Camille (EDF)',
  'Caisse d’Épargne',
  'Support Quizaine',
])
  test(`a sender may not be called ${JSON.stringify(name)}`, () => {
    assert.match(senderNameError(name) ?? '', /^Ce nom ferait croire à un message de « /)
    assert.equal(shownSenderName(name), null)
  })

for (const name of [
  'camille@exemple.fr',
  'Camille <camille@exemple.fr>',
  'camille＠exemple．fr',
  'exemple.fr',
  'exemple\u200b.fr',
  'Camille www.exemple.fr',
  'https://exemple.fr',
  'Camille exemple。fr',
])
  test(`the name ${JSON.stringify(name)} is refused as an address`, () => {
    assert.match(senderNameError(name) ?? '', /ni adresse ni lien/)
  })

test('each protected name is refused in every case', () => {
  for (const name of PROTECTED_NAMES)
    for (const form of [name, name.toUpperCase(), name.toLowerCase(), ` ${name} `, `Info ${name}`])
      assert.ok(senderNameError(form), form)
})

test('a name is one line without signs of direction, and blank without a visible sign', () => {
  assert.equal(cleanSenderName(' Camille\r\nBcc: x \u202eDurand '), 'Camille Bcc: x Durand')
  for (const blank of ['', '  ', '\u200b\u202e', '\u3164', '\u2028'])
    assert.equal(shownSenderName(blank), null)
})

test('any name takes a defined time and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const shown = shownSenderName(name)
      if (shown === null) return
      assert.ok(shown.isWellFormed())
      assert.doesNotMatch(shown, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}@]/u)
    }),
  )
})
