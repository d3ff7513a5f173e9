#!/usr/bin/env bash
# node-llama-cpp 3.21.1 (llama.cpp prebuilt), Linux x64, Node 20.20.2
#
# `getLlama({gpu: 'auto'})` decides by what can be loaded, not by devices. With the Vulkan package on a machine whose only
# Vulkan driver is Mesa's software one (lavapipe, as in many images of servers), `llama.gpu` is "vulkan", while
# `getGpuDeviceNames()` is empty, VRAM is 0 and models get 0 GPU layers: everything runs on the processor. So `llama.gpu` says
# which binary was loaded, not that anything is computed on a card; ask for the devices instead. ggml takes the software device
# only where GGML_VK_VISIBLE_DEVICES names it.
# The other way round, the Vulkan package alone does not serve `gpu: false`, although it carries all of the CPU backends
# (libggml-cpu-*.so): NoBinaryFoundError.
#
# Output:
#   gpu "vulkan", devices [], VRAM 0
#   gpu false: NoBinaryFoundError, with 14 CPU backends in the package
#   named: gpu "vulkan", devices 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --ignore-scripts --omit=optional node-llama-cpp@3.21.1 @node-llama-cpp/linux-x64-vulkan@3.21.1
# Debian's loader and software driver, unpacked beside.
apt-get download libvulkan1 mesa-vulkan-drivers >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" system; done
libraries="$PWD/system/usr/lib/x86_64-linux-gnu"
sed -i "s#/usr/lib/x86_64-linux-gnu#$libraries#" system/usr/share/vulkan/icd.d/lvp_icd.x86_64.json
export VK_ICD_FILENAMES="$PWD/system/usr/share/vulkan/icd.d/lvp_icd.x86_64.json" LD_LIBRARY_PATH="$libraries"
cat >ask.mjs <<'JS'
import { readdirSync } from 'node:fs';
import { getLlama } from 'node-llama-cpp';
const options = { build: 'never', progressLogs: false, logLevel: 'error' };
const llama = await getLlama({ ...options, gpu: 'auto' });
const [devices, { total }] = [await llama.getGpuDeviceNames(), await llama.getVramState()];
if (process.env.GGML_VK_VISIBLE_DEVICES) {
  console.log(`named: gpu ${JSON.stringify(llama.gpu)}, devices ${devices.length}`);
  process.exit(0);
}
console.log(`gpu ${JSON.stringify(llama.gpu)}, devices ${JSON.stringify(devices)}, VRAM ${total}`);
const folder = 'node_modules/@node-llama-cpp/linux-x64-vulkan/bins/linux-x64-vulkan';
const backends = readdirSync(folder).filter((name) => name.startsWith('libggml-cpu-')).length;
const error = await getLlama({ ...options, gpu: false }).catch((reason) => reason);
console.log(`gpu false: ${error.constructor.name}, with ${backends} CPU backends in the package`);
process.exit(0);
JS
GGML_VK_VISIBLE_DEVICES=0 node ask.mjs | tee named
node ask.mjs | tee output
cat named >>output
diff output - <<'SEEN'
gpu "vulkan", devices [], VRAM 0
gpu false: NoBinaryFoundError, with 14 CPU backends in the package
named: gpu "vulkan", devices 1
SEEN
