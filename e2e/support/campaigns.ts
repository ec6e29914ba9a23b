import type { Client } from '../../src/contract/client/client.ts'

const WEEK_MS = 7 * 86_400_000

/** Invites a person to a published quiz. Returns the id of the campaign. */
export const inviteOne = async (client: Client, id: string, email: string): Promise<string> => {
  const { campaign } = await client.campaigns.create({
    id,
    body: {
      name: 'Printemps',
      invitation_subject: 'Votre avis',
      invitation_text: 'Bonjour {{prénom}}, répondez avant le {{date de fin}}.',
      reminder_subject: 'Rappel',
      reminder_text: 'Il reste quelques jours.',
      ends_at: new Date(Date.now() + WEEK_MS).toISOString(),
      people: [{ email, first_name: 'Zoé', group_name: 'Nord' }],
      may_write: true,
    },
  })
  return campaign.id
}
