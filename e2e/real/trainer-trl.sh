#!/usr/bin/env bash
# `--trainer trl` with the real TRL. $TRL_PYTHON: an environment that has it already.
exec bash "$(dirname "$0")/trainers/train.sh" trl "${TRL_PYTHON:-}" python3 trl==1.16.0 transformers==5.24.0 peft==0.21.2 torch==2.15.0
