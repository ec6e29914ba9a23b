import { z } from 'zod'
import { CHOICE_LAYOUTS } from '#domain/statistics/export-table.ts'
import { participantFilters } from './figures.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp } from './kit/fields.ts'

const { exports: at } = calls

/** File formats of the export of participants. */
export const EXPORT_FORMATS = ['csv_excel', 'csv', 'xlsx', 'json'] as const

/** Export of participants as a file. */
export const exports = group({
  link: {
    ...at.link,
    access: 'creator',
    key_scope: 'lecture',
    body: participantFilters.extend({
      format: z.enum(EXPORT_FORMATS),
      /** Layout of questions with several answers: one cell, or a column for each choice. JSON always lists choices. */
      choices: z.enum(CHOICE_LAYOUTS).default('joined'),
    }),
    answer: z.object({
      /** Address on this server that downloads the file, without a token of the session. */
      url: z.string(),
      file_name: z.string(),
      expires_at: timestamp,
    }),
    summary: 'Un lien de courte durée vers les participants en fichier (CSV, Excel ou JSON)',
  },
})
