// The entry of the service's program. An older Node can't even load the rest, so the version is checked here.
const needed = { major: 22, minor: 16 } as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > needed.major || (major === needed.major && minor >= needed.minor)) await import('./main.ts');
else {
  process.stderr.write(
    `The service needs Node ${needed.major}.${needed.minor} or newer, also with PostgreSQL; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
}
