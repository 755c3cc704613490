import assert from 'node:assert/strict';
import { placeholderFor } from '../../../src/features/connections/keyGuard.ts';

describe('what stands in the place of a key', () => {
  for (const [language, text, expected] of [
    ['json', '{"key": "KEY"}', '{"key": "${env:WORKFLOW_API_KEY}"}'],
    ['typescript', "const key = 'KEY';", 'const key = process.env.WORKFLOW_API_KEY;'],
    ['javascript', 'headers("Bearer KEY")', 'headers("Bearer ${env:WORKFLOW_API_KEY}")'],
    ['python', 'key = "KEY"', 'key = os.environ["WORKFLOW_API_KEY"]'],
    [
      'shellscript',
      'curl -H "Authorization: Bearer KEY"',
      'curl -H "Authorization: Bearer ${WORKFLOW_API_KEY}"',
    ],
    ['powershell', '$key = "KEY"', '$key = "${env:WORKFLOW_API_KEY}"'],
    ['bat', 'set KEY=KEY', 'set KEY=%WORKFLOW_API_KEY%'],
    ['yaml', 'key: KEY', 'key: ${WORKFLOW_API_KEY}'],
    ['plaintext', 'KEY', '${env:WORKFLOW_API_KEY}'],
  ] as const) {
    it(`in ${language}`, () => {
      const offset = text.lastIndexOf('KEY');
      const {
        offset: start,
        length,
        text: placeholder,
      } = placeholderFor(language, text, { offset, length: 3 });
      assert.equal(text.slice(0, start) + placeholder + text.slice(start + length), expected);
    });
  }
});
