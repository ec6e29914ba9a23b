import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { downloadFile } from '#server/testing/app/evidence-files.ts'
import { findTablesContaining } from '#server/testing/app/find-tables-containing.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createProgressScene, type ScenePerson } from '#server/testing/app/progress-scene.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { publishSkillsQuiz } from '#server/testing/quizzes/skills-quiz.ts'
import { deleteExpiredEvidence } from './evidence.store.ts'

const scene = await createProgressScene()

const people = (): ScenePerson[] =>
  [0, 1, 2, 3, 4, 5].map((rank) => ({
    email: scene.newAddress(`p${rank}`),
    first_name: `Prénom${rank}`,
    last_name: 'Vasseur',
    group_name: rank < 4 ? 'Nord' : 'Sud',
    before: [1, 1, 1],
    after: rank === 5 ? null : [8, 8, rank],
  }))

const sheetOf = (workbook: Buffer | undefined): string =>
  unzip(workbook ?? Buffer.alloc(0))['xl/worksheets/sheet1.xml'] ?? ''

describe('the file of a campaign for an audit', () => {
  test('has the document, the replies, the changes, the certificates and the log of mails', async () => {
    const all = people()
    const { creator, before, after } = await scene.runBoth(all)
    const { client } = creator
    await client.progress.setBefore({
      ...after.key,
      body: { before_campaign_id: before.campaign_id },
    })
    const actions_text = 'Nouveau support pour la vente.\nFormation de rappel en mars.'
    await client.evidence.setActions({ ...after.key, body: { actions_text, former_text: '' } })
    const files = await downloadFile(scene, creator, after.key)
    assert.deepEqual(
      Object.keys(files).map((name) => name.replace(/\d{3} - .*/, '')),
      [
        'Dossier de preuves.pdf',
        'Réponses.xlsx',
        'Évolution par personne.xlsx',
        'Journal des envois.csv',
        ...all.slice(0, 5).map(() => 'Attestations/'),
      ],
    )
    const words = await readPdf(files['Dossier de preuves.pdf'] ?? Buffer.alloc(0))
    for (const text of [
      'Quiz : Compétences',
      'Version 1, publiée le',
      '6 personnes invitées',
      '5 sur 6',
      'Taux de retour : 83 %',
      'Invitation',
      '6 emails',
      'Bonnes réponses',
      'Bonne réponse : Alerter les secours',
      '100 % de justes',
      'Campagne d’avant : Avant la formation (Compétences)',
      '5 personnes ont répondu aux deux campagnes',
      '+70,0 points',
      'Nouveau support pour la vente.',
      'Formation de rappel en mars.',
    ])
      assert.ok(plain(words).includes(plain(text)), text)
    const replies = sheetOf(files['Réponses.xlsx'])
    for (const { email, after: numbers } of all)
      assert.equal(replies.includes(email), numbers !== null)
    assert.match(sheetOf(files['Évolution par personne.xlsx']), /Écoute : évolution \(points\)/)
    const journal = files['Journal des envois.csv']?.toString() ?? ''
    assert.equal(journal.trim().split('\r\n').length, 7)
    for (const { email } of all) assert.ok(journal.includes(email))
    assert.match(journal, /Invitation;p5-.*;Sud;Invité/)
    const certificate = Object.entries(files).find(([name]) => name.startsWith('Attestations/'))
    assert.match(
      plain(await readPdf(certificate?.[1] ?? Buffer.alloc(0))),
      /Attestationderéussite.*Prénom\dVasseur/,
    )
  })

  test('of an anonymous campaign names nobody anywhere, and hides the figures of fewer than five replies', async () => {
    const creator = await scene.signUp()
    const quiz = await publishSkillsQuiz(creator.client)
    const all: ScenePerson[] = Array.from({ length: 12 }, (_, rank) => ({
      email: scene.newAddress(`secret${rank}`),
      first_name: `Philomène${rank}`,
      last_name: `Vasseur${rank}`,
      group_name: rank === 11 ? 'Philomène Vasseur' : ['Nord', 'Sud'][rank % 2],
      before: [4, 5, 6],
      after: null,
    }))
    const { key } = await scene.runCampaign(creator, quiz, all, 'before', { is_anonymous: true })
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    const files = await downloadFile(scene, creator, key)
    assert.deepEqual(Object.keys(files), [
      'Dossier de preuves.pdf',
      'Réponses.xlsx',
      'Journal des envois.csv',
    ])
    const words = await readPdf(files['Dossier de preuves.pdf'] ?? Buffer.alloc(0))
    const texts = [
      plain(words),
      sheetOf(files['Réponses.xlsx']),
      String(files['Journal des envois.csv']),
    ]
    for (const text of texts) {
      assert.doesNotMatch(text, /Philom|Vasseur|secret\d|@|exemple\.fr/)
      for (const { email } of all) assert.ok(!text.includes(email.split('@')[0] ?? ''))
    }
    assert.match(plain(words), /Groupesdemoinsdecinqpersonnes/)
    assert.match(plain(words), /12réponses/)
    const { rows } = await scene.pool.query<{ participant_uuid: string }>(
      'select participant_uuid from invitations where campaign_id = $1 and participant_uuid is not null',
      [key.campaignId],
    )
    assert.deepEqual(rows, [])
  })

  test('of an anonymous campaign with four replies has no results and no workbook', async () => {
    const creator = await scene.signUp()
    const quiz = await publishSkillsQuiz(creator.client)
    const all: ScenePerson[] = Array.from({ length: 6 }, (_, rank) => ({
      email: scene.newAddress('few'),
      before: rank < 4 ? [9, 9, 9] : null,
      after: null,
    }))
    const { key } = await scene.runCampaign(creator, quiz, all, 'before', { is_anonymous: true })
    const files = await downloadFile(scene, creator, key)
    assert.deepEqual(Object.keys(files), ['Dossier de preuves.pdf', 'Journal des envois.csv'])
    const words = plain(await readPdf(files['Dossier de preuves.pdf'] ?? Buffer.alloc(0)))
    assert.match(words, /Moinsdecinqréponses/)
    assert.doesNotMatch(words, /90%|Alerterlessecours/)
  })
})

describe('the writing of a file', () => {
  test('is one at a time for an account, can be cancelled, and leaves no piece', async () => {
    const { creator, before, after } = await scene.runBoth(people())
    const { client } = creator
    await client.evidence.create(after.key)
    await refuses(client.evidence.create(before.key), 409, 'evidence_busy')
    await refuses(client.evidence.link(after.key), 404, 'not_found')
    await client.evidence.remove(after.key)
    assert.equal((await client.evidence.get(after.key)).file, null)
    await refuses(client.evidence.remove(after.key), 404, 'not_found')
    const files = await downloadFile(scene, creator, before.key)
    assert.ok(files['Réponses.xlsx'])
    await pause(500)
    const { rows } = await scene.pool.query<{ campaign_id: string }>(
      'select distinct campaign_id from evidence_pieces join evidence_files on id = file_id where creator_id = $1',
      [creator.user_id],
    )
    assert.deepEqual(rows, [{ campaign_id: before.campaign_id }])
  })

  test('that has stopped without a word is said to be interrupted, and a file expires after a day', async () => {
    const { creator, before, after } = await scene.runBoth(people().slice(0, 1))
    await downloadFile(scene, creator, after.key)
    const later = "now() + interval '23 hours'"
    const { rows } = await scene.pool.query<{ is_a_day: boolean }>(
      `select expires_at > ${later} and expires_at <= now() + interval '24 hours' as is_a_day
      from evidence_files where campaign_id = $1`,
      [after.campaign_id],
    )
    assert.deepEqual(rows, [{ is_a_day: true }])
    await scene.pool.query(
      `update evidence_files set expires_at = now() - interval '1 second' where campaign_id = $1`,
      [after.campaign_id],
    )
    assert.equal((await creator.client.evidence.get(after.key)).file, null)
    await refuses(creator.client.evidence.link(after.key), 404, 'not_found')
    await scene.pool.query(
      `insert into evidence_files (quiz_id, id, campaign_id, creator_id, nb_total, written_at, expires_at)
      values ($1, gen_random_uuid(), $2, $3, 9, now() - interval '10 minutes', now() + interval '1 day')`,
      [before.quiz_id, before.campaign_id, creator.user_id],
    )
    await deleteExpiredEvidence(scene.db)
    const { file } = await creator.client.evidence.get(before.key)
    assert.deepEqual([file?.status, file?.failure], ['failed', 'interrupted'])
    const { rows: left } = await scene.pool.query(
      'select from evidence_pieces where quiz_id = $1',
      [after.quiz_id],
    )
    assert.equal(left.length, 0)
  })

  test('an erasure deletes the files that may name the person, of the campaign after it too', async () => {
    const all = people()
    const { creator, before, after } = await scene.runBoth(all)
    const { client } = creator
    await client.progress.setBefore({
      ...after.key,
      body: { before_campaign_id: before.campaign_id },
    })
    await downloadFile(scene, creator, after.key)
    assert.deepEqual(await findTablesContaining(scene.pool, 'Dossier de preuves'), [])
    const listed = await client.campaigns.people(before.key)
    const erased = listed.people.find(({ email }) => email === all[0]?.email)
    await client.participants.remove({
      id: before.quiz_id,
      participantId: erased?.participant_uuid ?? '',
    })
    assert.equal((await client.evidence.get(after.key)).file, null)
  })

  test('« Actions menées » of another tab are not overwritten', async () => {
    const { creator, after } = await scene.runBoth(people().slice(0, 1))
    const save = (former_text: string, actions_text: string) =>
      creator.client.evidence.setActions({ ...after.key, body: { former_text, actions_text } })
    await save('', 'Un')
    await refuses(save('', 'Deux'), 409, 'stale_text')
    await save('Un', 'Deux')
    assert.equal((await creator.client.evidence.get(after.key)).actions_text, 'Deux')
  })
})

describe('strangers and keys', () => {
  test('reach neither the file nor its link', async () => {
    const { creator, after } = await scene.runBoth(people().slice(0, 1))
    await downloadFile(scene, creator, after.key)
    const { client: stranger } = await scene.signUp()
    for (const call of [
      () => stranger.evidence.get(after.key),
      () => stranger.evidence.create(after.key),
      () => stranger.evidence.link(after.key),
      () => stranger.evidence.remove(after.key),
      () =>
        stranger.evidence.setActions({
          ...after.key,
          body: { former_text: '', actions_text: 'x' },
        }),
    ])
      await refuses(call(), 404, 'not_found')
    const body = { name: 'Outil', scope: 'écriture', expires_in_days: null } as const
    const { secret } = await creator.client.apiKeys.create({ body })
    const path = `/api/v1/quizzes/${after.key.id}/campaigns/${after.key.campaignId}`
    const headers = { authorization: `Bearer ${secret}` }
    for (const [method, address] of [
      ['GET', `${path}/evidence`],
      ['POST', `${path}/evidence`],
      ['POST', `${path}/evidence/link`],
    ] as const)
      assert.equal((await scene.raw({ method, url: address, headers })).statusCode, 403, address)
    const progress = await scene.raw({ method: 'GET', url: `${path}/progress`, headers })
    assert.equal(progress.statusCode, 200)
    const { url } = await creator.client.evidence.link(after.key)
    const foreign = url.replace(after.key.id, after.key.campaignId)
    assert.equal((await scene.raw({ method: 'GET', url: foreign })).statusCode, 404)
    await creator.client.evidence.remove(after.key)
    assert.equal((await scene.raw({ method: 'GET', url })).statusCode, 404)
    const events = await listAuditEventNames(scene, after.campaign_id)
    assert.ok(
      events.includes('evidence_made') && events.includes('evidence_downloaded'),
      `${events}`,
    )
  })
})

/** Returns a text without white space, because lines of a PDF break anywhere. */
const plain = (text: string): string => text.replaceAll(/\s/g, '')
