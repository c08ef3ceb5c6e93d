import product from '../../package.json' with { type: 'json' };
import { DEFAULT_LEVEL } from './archive.ts';
import type { Phrase } from './words.ts';

export const USAGE: Phrase = {
  ja: `npm run release -- [オプション]   署名した build/aivoice-<版>-<arch>.tar.zst を作ります
  --arch arm64|x64       これだけ作る（なければ両方）
  --version V            リリースの版（なければ package.json の ${product.version}）
  --key FILE             秘密鍵（なければ $AIVOICE_RELEASE_KEY、それもなければ ~/.config/aivoice/release-key）
  --level N              zstd の 1〜19（初期値 ${DEFAULT_LEVEL}。公開するリリースには 19: 12 % 小さく、二分かかる）
  --without-wake-word    ウェイクワードを入れない（そのライセンスは商用を禁じています）
  --dirty                コミットと違うファイルからも作る。リリースにその印が残ります
  --to FOLDER            置く場所（なければ build）
npm run release -- --new-key [--key FILE]
                         鍵と、機器に渡す allowed_signers をそばに作る
終了コード: 0 できた、1 できない（理由は stderr）、64 使い方の誤り
`,
  en: `npm run release -- [options]     makes build/aivoice-<version>-<arch>.tar.zst, signed
  --arch arm64|x64       this one only (default: both)
  --version V            version of the release (default: ${product.version}, of package.json)
  --key FILE             private key (default: $AIVOICE_RELEASE_KEY, else ~/.config/aivoice/release-key)
  --level N              of zstd, 1 to 19 (default ${DEFAULT_LEVEL}; 19 for a release to publish: 12 % smaller, takes two minutes)
  --without-wake-word    leaves out the wake words (their licence forbids commercial use)
  --dirty                also from files that differ from the commit; the release then says so
  --to FOLDER            where it is put (default: build)
npm run release -- --new-key [--key FILE]
                         makes the key, and allowed_signers beside it for the appliances
Exit code: 0 made, 1 it cannot be made, for the reason on stderr, 64 wrong usage
`,
};
