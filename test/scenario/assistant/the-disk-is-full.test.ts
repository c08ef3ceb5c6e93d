import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { expectTurn, setTalk } from '../voice/talk.ts';

describe('the state folder takes nothing', { concurrency: 2 }, () => {
  it('from the start: the appliance speaks all the same', async () => {
    proves('voice-never-stuck');
    await using stage = await setTalk({ appliance: { env: { XDG_STATE_HOME: '/dev/null' } } });
    await stage.appliance.logged(
      'why',
      ({ fields }) => fields.level === 'warn' && fields.service === 'voice',
    );
    await expectTurn(stage);
  });

  it('from some time on: what cannot be kept is logged, and the appliance speaks on', async () => {
    proves('voice-never-stuck');
    await using stage = await setTalk();
    const { appliance } = stage;
    const folder = join(appliance.home.state, 'aivoice');
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, '');
    const turned = stage.terminal.next('volume', ({ level }) => level === 70);
    stage.terminal.encoder(2);
    await turned;
    await appliance.logged('its failure', ({ fields }) => fields.event === 'memory_not_kept');
    await expectTurn(stage);
  });
});
