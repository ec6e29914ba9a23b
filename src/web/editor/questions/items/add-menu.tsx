import { FilePlus2, Grid3x3, Plus, ShieldCheck, UserRound } from 'lucide-react'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { ADD_ITEM_ID, pageFieldId } from '#web/editor/fields/field-ids.ts'
import { targetPath } from '#web/editor/fields/target-path.ts'
import {
  type KindEntry,
  QUESTION_KINDS,
  TEXT_BLOCK_KIND,
} from '#web/editor/questions/draft/item-kinds.tsx'
import type { ContentActions, OpenMenu } from '#web/editor/questions/draft/use-content-actions.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Menu, MenuList } from '#web/ui/overlay/menu.tsx'
import type { MenuGroup } from '#web/ui/overlay/menu-list.tsx'

const GridDialog = lazyPart(
  () => import('#web/editor/questions/grids/grid-dialog.tsx'),
  'La fenêtre n’a pas pu être chargée.',
)

const SharedSettingsDialog = lazyPart(
  () => import('#web/editor/questions/shared-settings/shared-settings-dialog.tsx'),
  'La fenêtre n’a pas pu être chargée.',
)

const LABEL = 'Ajouter un élément'

/** Fields of the consent. The second is shown until the creator has chosen a checkbox. */
const CONSENT_FIELDS = ['consent_text', 'consent_mode'].map(pageFieldId)

/**
 * Shows the menu of items to add (product 7.10). The floating button adds where the creator is; « Ajouter ici » adds at
 * its own position.
 */
export const AddMenu = ({
  quiz_id,
  contentActions,
}: {
  quiz_id: string
  contentActions: ContentActions
}) => {
  const { openMenu, grid_place, openGrid, settings_target, openSettings } = contentActions
  const navigate = useNavigate()
  const consent = { step: 'settings', field_ids: CONSENT_FIELDS } as const
  // The consent is a setting of the whole questionnaire, which applies once a tool is switched on.
  const openConsent = () => void navigate(targetPath(quiz_id, consent), { state: consent })
  return (
    <>
      <Menu
        label={LABEL}
        openerId={ADD_ITEM_ID}
        icon={<Plus aria-hidden="true" />}
        className="floating-menu"
        isFilterable
        groups={groupsOf(contentActions, openConsent)}
      />
      {openMenu && (
        <MenuList
          label={LABEL}
          groups={groupsOf(contentActions, openConsent, openMenu)}
          opener={() => openMenu.opener}
          align="start"
          isFilterable
          onClose={contentActions.closeMenu}
        />
      )}
      {grid_place && (
        <Suspense>
          <GridDialog
            quiz_id={quiz_id}
            max_items={contentActions.max_new_questions}
            onAdd={(items) => contentActions.addGrid(items, grid_place.to, grid_place.erased)}
            onClose={() => openGrid(null)}
          />
        </Suspense>
      )}
      {settings_target !== null && (
        <Suspense>
          <SharedSettingsDialog
            quiz_id={quiz_id}
            target={settings_target}
            onClose={() => openSettings(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Returns the menu groups. Without an open menu, items are added where the creator is when one is chosen. */
const groupsOf = (
  { full, add, addContact, addPage, openGrid }: ContentActions,
  openConsent: () => void,
  openMenu?: OpenMenu,
): MenuGroup[] => {
  const { to, erased } = openMenu ?? {}
  const entry = ({ kind, label, icon }: KindEntry, disabled: boolean) => ({
    label,
    icon,
    disabled,
    onSelect: () => add(kind, to, erased),
  })
  return [
    {
      label: 'Questions',
      items: [
        ...QUESTION_KINDS.map((kind) => entry(kind, full.questions)),
        {
          label: 'Grille',
          icon: <Grid3x3 aria-hidden="true" />,
          disabled: full.questions,
          onSelect: () => openGrid({ to, erased }),
        },
      ],
    },
    {
      label: 'Contenu',
      items: [
        entry(TEXT_BLOCK_KIND, full.text_blocks),
        {
          label: 'Nouvelle page',
          icon: <FilePlus2 aria-hidden="true" />,
          disabled: full.pages,
          onSelect: () => addPage(to, erased),
        },
        {
          label: 'Coordonnées',
          icon: <UserRound aria-hidden="true" />,
          disabled: full.contact,
          onSelect: () => addContact(to, erased),
        },
        {
          label: 'Consentement (RGPD)',
          icon: <ShieldCheck aria-hidden="true" />,
          onSelect: openConsent,
        },
      ],
    },
  ]
}
