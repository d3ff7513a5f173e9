#!/usr/bin/env bash
# `--trainer axolotl` with the real Axolotl. $AXOLOTL_PYTHON: an environment that has it already.
exec bash "$(dirname "$0")/trainers/train.sh" axolotl "${AXOLOTL_PYTHON:-}" python3.12 axolotl==0.21.0
