import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  bundleFolder,
  findPlaces,
  makeSocketFolder,
  makeStateFolder,
} from '../../../../device/config/places.ts';
import { surroundings } from './surroundings.ts';

const where = (variables: Record<string, string>) => {
  return findPlaces({ variables, cwd: '/', execPath: '/node', uid: 1234 });
};

test('the state folder is the first that systemd gives, else the XDG one, else the one in the home folder', () => {
  assert.equal(
    where({ STATE_DIRECTORY: '/var/lib/aivoice:/var/lib/b', HOME: '/h' }).state,
    '/var/lib/aivoice',
  );
  assert.equal(where({ XDG_STATE_HOME: '/s', HOME: '/h' }).state, '/s/aivoice');
  assert.equal(where({ XDG_STATE_HOME: 'relative', HOME: '/h' }).state, '/h/.local/state/aivoice');
  assert.equal(where({}).state, '/tmp/aivoice-1234/state');
});

test('the control socket is in the runtime folder, else in the XDG one, else below the temporary folder', () => {
  assert.equal(
    where({ RUNTIME_DIRECTORY: '/run/aivoice', XDG_RUNTIME_DIR: '/x' }).socket,
    '/run/aivoice/control.sock',
  );
  assert.equal(where({ XDG_RUNTIME_DIR: '/run/user/1234' }).socket, '/run/user/1234/aivoice/control.sock');
  assert.equal(where({ TMPDIR: '/t' }).socket, '/t/aivoice-1234/control.sock');
});

test('a command also looks where the systemd unit has its socket', () => {
  assert.deepEqual(where({ XDG_RUNTIME_DIR: '/x' }).sockets, [
    '/x/aivoice/control.sock',
    '/run/aivoice/control.sock',
  ]);
  assert.deepEqual(where({ RUNTIME_DIRECTORY: '/run/aivoice' }).sockets, ['/run/aivoice/control.sock']);
});

test('a socket path that Linux cannot bind moves to a short one that every program works out alike', () => {
  const long = { XDG_RUNTIME_DIR: `/${'ラ'.repeat(40)}`, TMPDIR: '/t' };
  const { socket } = where(long);
  assert.match(socket, /^\/t\/aivoice-1234\/[0-9a-f]{12}\.sock$/);
  assert.equal(where(long).socket, socket);
  assert.match(
    where({ ...long, TMPDIR: `/${'t'.repeat(100)}` }).socket,
    /^\/tmp\/aivoice-1234\/[0-9a-f]{12}\.sock$/,
  );
  const fits = `/${'r'.repeat(107 - '/aivoice/control.sock'.length - 1)}`;
  assert.equal(where({ XDG_RUNTIME_DIR: fits }).socket, `${fits}/aivoice/control.sock`);
});

test('folders are made closed to others', () => {
  using place = surroundings();
  const mode = (path: string) => statSync(path).mode & 0o777;
  assert.equal(mode(makeStateFolder(place.environment)), 0o700);
  const variables = { TMPDIR: join(place.folder, 'tmp') };
  const socket = makeSocketFolder({ ...place.environment, variables });
  assert.equal(mode(join(socket, '..')), 0o700);
});

test('a folder below the temporary one that is a link, open to others or of another user is refused', () => {
  using place = surroundings();
  const refused = (name: string, uid: number, message: RegExp) => {
    const variables = { TMPDIR: join(place.folder, name) };
    const environment = { ...place.environment, variables, uid };
    assert.throws(() => makeSocketFolder(environment), { code: 'PLACE_UNUSABLE', message });
  };
  const { uid } = place.environment;
  mkdirSync(join(place.folder, 'link'));
  symlinkSync(place.folder, join(place.folder, 'link', `aivoice-${uid}`));
  refused('link', uid, /expected a folder, got something else/);
  mkdirSync(join(place.folder, 'open', `aivoice-${uid}`), { recursive: true });
  chmodSync(join(place.folder, 'open', `aivoice-${uid}`), 0o755);
  refused('open', uid, /expected mode 700, got 755/);
  refused('other', uid + 1, /expected a folder of user \d+, got one of user \d+/);
});

test('a state folder that cannot be made says why', () => {
  using place = surroundings();
  const file = place.write('file', 'x');
  const environment = { ...place.environment, variables: { XDG_STATE_HOME: file } };
  assert.throws(() => makeStateFolder(environment), { code: 'PLACE_UNUSABLE', message: /ENOTDIR/ });
});

test('the bundle is found from its main file, from a chunk below it and from the source', () => {
  using place = surroundings();
  const main = place.write('dist/aivoice.js', '');
  const dist = join(place.folder, 'dist');
  assert.equal(bundleFolder(pathToFileURL(main).href), dist);
  assert.equal(bundleFolder(pathToFileURL(join(dist, 'chunk-x.js')).href), dist);
  assert.equal(bundleFolder(pathToFileURL(join(dist, 'chunks', 'x.js')).href), dist);
  const source = join(place.folder, 'device', 'config', 'places.ts');
  assert.equal(bundleFolder(pathToFileURL(source).href), dist);
});
