import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UnfinishedRestore } from './migrate.ts'
import { clusterFolder } from './postgres-folder.ts'

/** Where a data folder's database is restored, until it is whole and takes its place. */
export const restoringFolder = (data_dir: string): string => join(data_dir, 'restoring')

/** Refuses a data folder whose restore was cut, or still goes on; what one that ended left behind is removed. */
export const refuseUnfinishedRestore = (data_dir: string): void => {
  const restoring = restoringFolder(data_dir)
  if (!existsSync(restoring)) return
  if (!existsSync(clusterFolder(data_dir))) throw new UnfinishedRestore()
  rmSync(restoring, { recursive: true, force: true })
}
