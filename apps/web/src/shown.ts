import type { FieldModel } from './page.ts'

/**
 * Whether a field counts, given what the others hold. The reader of the kit decides the same (a test holds the two
 * together), but comes with all that reading needs, which a page that is only looked at does not load.
 */
export function isShown(
  fields: readonly FieldModel[],
  values: Readonly<Record<string, unknown>>,
  field: FieldModel,
): boolean {
  const { dependsOn } = field
  if (!dependsOn) return true
  const other = fields.find(({ name }) => name === dependsOn.field)
  if (other && !isShown(fields, values, other)) return false
  return dependsOn.values.includes(String(values[dependsOn.field] ?? other?.default ?? ''))
}
