// The validator speaks of instances and schemas; a person who reads why a node failed does not.

/** Keyword, the validator's sentence, what is said instead; groups are put in for $1 and $2. */
const words: readonly (readonly [keyword: string, sentence: RegExp, instead: string])[] = [
  ['required', /^Instance does not have required property (.+)\.$/, '$1 is missing.'],
  ['type', /^Instance type "(.+)" is invalid\. Expected "(.+)"\.$/, 'must be of type $2, not $1.'],
  ['enum', /^Instance does not match any of \[(.+)\]\.$/, 'must be one of $1.'],
  ['const', /^Instance does not match (.+)\.$/, 'must be $1.'],
  ['minimum', /^(.+) is less than (.+)\.$/, 'must be at least $2, not $1.'],
  ['maximum', /^(.+) is greater than (.+)\.$/, 'must be at most $2, not $1.'],
  ['pattern', /^.*$/, 'does not have the form that is asked for.'],
  ['false', /^.*$/, 'is not allowed here.'],
];

/** What is wrong with a value, to be read behind its place: "must be at least 2, not 1.5." */
export function faultWords(keyword: string, sentence: string): string {
  const known = words.find(([name, form]) => name === keyword && form.test(sentence));
  // Several types are told as "string", "number".
  if (known !== undefined) return sentence.replace(known[1], known[2]).replaceAll('", "', ' or ');
  return sentence.replace(/^(?:String|Array|Object|Instance) /, '');
}
