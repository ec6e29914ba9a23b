import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plainText } from '#domain/run/rich-text.ts'
import { campaignWordErrors, composeCampaignMail, defaultWords } from './campaign-mail.ts'

const words = defaultWords({ name: 'Le climat' })
const person = {
  first_name: 'Léa',
  last_name: null,
  link: 'https://quiz.example/q/climat/i/abc',
  ends_at: '2026-12-31T22:00:00Z',
  time_zone: 'Europe/Paris',
  now: new Date('2026-12-01T00:00:00Z'),
}

describe('the words of a campaign', () => {
  test('default words have no error, in both forms of address', () => {
    for (const address_form of ['vous', 'tu'] as const)
      assert.deepEqual(
        campaignWordErrors(defaultWords({ name: 'a'.repeat(100), address_form })),
        [],
      )
  })

  for (const [changed, message] of [
    [{ invitation_subject: ' ' }, /L’objet de l’invitation est vide/],
    [{ invitation_subject: 'Ici : {{lien}}' }, /{{lien}} n’existe pas ici/],
    [{ reminder_text: 'Bonjour {{age}}' }, /Le texte des rappels : {{age}} n’existe pas ici/],
    [{ invitation_text: '[ici](javascript:alert)' }, /n’est pas accepté/],
  ] as const)
    test(`${JSON.stringify(changed)} is refused`, () => {
      const [error] = campaignWordErrors({ ...words, ...changed })
      assert.match(error?.message ?? '', message)
      assert.equal(error?.field, Object.keys(changed)[0])
    })

  test('name, end and link are inserted, and a blank name leaves readable text', () => {
    const text = 'Bonjour {{prénom}} {{nom}}, avant le {{date de fin}} : {{lien}}'
    const { subject, body } = composeCampaignMail(
      { ...words, invitation_subject: 'À {{Prénom}}', invitation_text: text },
      0,
      person,
      (typed) => typed,
    )
    assert.equal(subject, 'À Léa')
    assert.equal(plainText(body), `Bonjour Léa, avant le jeudi 31 décembre : ${person.link}`)
    assert.ok(JSON.stringify(body).includes(`"href":"${person.link}"`))
    const reminder = composeCampaignMail(
      words,
      2,
      { ...person, first_name: null },
      (typed) => typed,
    )
    assert.match(plainText(reminder.body), /^Bonjour,\n\nVous n’avez pas encore répondu/)
  })
})
