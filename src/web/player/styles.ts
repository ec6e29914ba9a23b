import type { PageNeeds } from '#domain/run/public-page/page-needs.ts'
import logo from './content/logo.css?inline'
import pictures from './content/picture.css?inline'
import texts from './content/rich-blocks.css?inline'
import corrections from './corrections/corrections.css?inline'
import variants from './ending/conditional-texts.css?inline'
import dimensions from './ending/dimensions.css?inline'
import ending from './ending/ending.css?inline'
import nextSteps from './ending/next-steps.css?inline'
import print from './ending/print.css?inline'
import breakdown from './ending/result-breakdown.css?inline'
import tiedResults from './ending/tied-results.css?inline'
import formats from './fields/formats.css?inline'
import grids from './fields/grid.css?inline'
import framedGrids from './fields/grid-framed.css?inline'
import phones from './fields/phone-field.css?inline'
import options from './fields/question-options.css?inline'
import page from './page/player.css?inline'
import welcome from './page/welcome.css?inline'

/** Style of the grids of a framed page, in addition to the style of all pages with grids. */
export const FRAMED_GRIDS_STYLE: string = framedGrids

/** Returns the style that a public page needs until its second file is loaded. */
export const styleOf = (needs: Omit<PageNeeds, 'wording' | 'auto_advance'>): string =>
  [
    page,
    ending,
    needs.pictures ? pictures + logo : '',
    needs.texts ? texts : '',
    needs.options ? options : '',
    needs.formats ? formats : '',
    needs.phones ? phones : '',
    needs.welcome || needs.pictures ? welcome : '',
    needs.variants ? variants : '',
    needs.grids ? grids : '',
  ].join('')

/** Style of pages without scripts, which load no second file. */
export const WHOLE_STYLE: string =
  styleOf({
    pictures: true,
    texts: true,
    options: true,
    formats: true,
    phones: true,
    welcome: true,
    variants: true,
    grids: true,
  }) + [nextSteps, breakdown, dimensions, tiedResults, corrections, print].join('')
