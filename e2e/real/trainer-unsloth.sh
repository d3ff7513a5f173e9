#!/usr/bin/env bash
# `--trainer unsloth` with the real Unsloth. $UNSLOTH_PYTHON: an environment that has it already.
exec bash "$(dirname "$0")/trainers/train.sh" unsloth "${UNSLOTH_PYTHON:-}" python3 unsloth==2026.10.9
