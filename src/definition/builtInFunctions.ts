/** The names of the functions that JSONata brings along, without their "$". */
export const builtInFunctions: ReadonlySet<string> = new Set(
  [
    'abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl',
    'decodeUrlComponent distinct each encodeUrl encodeUrlComponent error eval exists filter floor',
    'formatBase formatInteger formatNumber fromMillis join keys length lookup lowercase map match max',
    'merge millis min not now number pad parseInteger power random reduce replace reverse round shuffle',
    'sift single sort split spread sqrt string substring substringAfter substringBefore sum toMillis trim',
    'type uppercase zip',
  ].flatMap((names) => names.split(' ')),
);
