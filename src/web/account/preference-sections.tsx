import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { PHONE_COUNTRIES, type PhoneCountry } from '#domain/common/phone-countries.ts'
import {
  currentTimeZoneName,
  timeZoneGroups,
  timeZonePlace,
} from '#domain/common/time-zone-labels.ts'
import { client } from '#web/api/client.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { preferencesQuery, saveTimeZone } from '#web/session/account-time-zone.ts'
import { useSession } from '#web/session/session.tsx'
import { useAction } from '#web/session/use-action.ts'
import { Button, TextLink } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useSingleKeysChoice } from '#web/ui/keyboard-shortcuts.ts'
import { formatMoment, useZone } from '#web/ui/moments.ts'
import { Outcome, Section } from './section.tsx'

/** Switches the single-key shortcuts off, because speech input triggers them by accident. */
export const KeyboardSection = () => {
  const { areOn, choose } = useSingleKeysChoice()
  return (
    <Section title="Clavier">
      <Checkbox
        label="Raccourcis d’une seule touche ( ? N / )"
        checked={areOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Section>
  )
}

/** Leads the administrators of the installation to their screen; other accounts see nothing. */
export const AdministrationSection = () => {
  const { data } = useQuery(preferencesQuery())
  if (!data?.is_administrator) return null
  return (
    <Section title="Administration">
      <p className="text-ink-2">
        Votre compte administre cette installation : son état, ses comptes et qui peut en créer.
      </p>
      <TextLink to="/admin">Ouvrir l’administration</TextLink>
    </Section>
  )
}

/** Lets the creator choose the country whose phone numbers are read without a country code. */
export const CountrySection = () => {
  const queries = useQueryClient()
  const query = preferencesQuery()
  const loading = useQuery(query)
  const { data, error } = loading
  const { run, isBusy, done, failed } = useAction('Le pays n’a pas pu être changé')
  const country = data?.preferences.country
  const choose = (chosen: PhoneCountry): void => {
    if (chosen === country) return
    void run(async () => {
      queries.setQueryData(
        query.queryKey,
        await client.preferences.set({ body: { country: chosen } }),
      )
      return `Les numéros sans indicatif sont lus comme ceux de ce pays : ${PHONE_COUNTRIES[chosen]}.`
    })
  }
  return (
    <Section title="Pays">
      <p className="text-ink-2">
        Un numéro de téléphone que vos participants écrivent sans indicatif est envoyé à vos outils
        avec celui de ce pays. La page publique nomme ce pays, et montre le numéro compris. Un
        numéro qui n’existe pas dans ce pays n’est pas envoyé, et Envois le dit. Un autre choix vaut
        aussitôt pour les pages déjà publiées.
      </p>
      <div className="flex max-w-sm flex-col gap-3">
        {!country && error && (
          <LoadFailure text={failureText(error, 'Le pays n’a pas pu être lu.')} query={loading} />
        )}
        <Select
          label="Pays des numéros de téléphone"
          value={country ?? 'FR'}
          options={COUNTRY_OPTIONS}
          disabled={isBusy || !country}
          onChange={choose}
        />
        <Outcome done={done} failed={failed} />
      </div>
    </Section>
  )
}

const COUNTRY_OPTIONS = (Object.keys(PHONE_COUNTRIES) as PhoneCountry[]).map((value) => ({
  value,
  label: PHONE_COUNTRIES[value],
}))

/** Lets the creator choose the time zone of all dates and days. */
export const TimeZoneSection = () => {
  const { user } = useSession()
  const queries = useQueryClient()
  const { time_zone } = useZone()
  const [now] = useState(() => Date.now())
  const { run, isBusy, done, failed } = useAction('Le fuseau horaire n’a pas pu être changé')
  const groups = useMemo(
    () =>
      timeZoneGroups([...Intl.supportedValuesOf('timeZone'), time_zone], new Date(now)).map(
        ({ label, zones }) => ({
          label,
          options: zones.map((zone) => ({ value: zone.time_zone, label: zone.label })),
        }),
      ),
    [time_zone, now],
  )
  const device = currentTimeZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const isOffered = groups.some(({ options }) => options.some(({ value }) => value === device))

  const choose = (chosen: string): void => {
    if (!user || chosen === time_zone) return
    void run(async () => {
      const answer = await client.preferences.set({ body: { time_zone: chosen } })
      queries.setQueryData(preferencesQuery().queryKey, answer)
      saveTimeZone(user.id, answer.preferences)
      // Loaded figures by day belong to the former zone.
      await queries.invalidateQueries({ queryKey: ['quizzes'] })
      await queries.invalidateQueries({ queryKey: ['overview'] })
      return `Vos dates sont à l’${answer.preferences.time_zone_name} : il y est ${formatMoment(Date.now(), 'time')}.`
    })
  }
  return (
    <Section title="Fuseau horaire">
      <p className="text-ink-2">
        Toutes vos dates le suivent : tableaux, filtres, graphiques, exports, emails et dates de
        clôture. Les chiffres par jour déjà affichés sont comptés de nouveau.
      </p>
      <div className="flex max-w-sm flex-col gap-3">
        <Select
          label="Fuseau horaire du compte"
          hint="Tapez les premières lettres d’une ville pour la trouver."
          value={time_zone}
          groups={groups}
          disabled={isBusy}
          onChange={choose}
        />
        <Outcome done={done} failed={failed} />
        {isOffered && device !== time_zone && (
          <Button busy={isBusy} onClick={() => choose(device)} className="self-start">
            {`Prendre celui de cet appareil : ${timeZonePlace(device)}`}
          </Button>
        )}
      </div>
    </Section>
  )
}
