#!/usr/bin/env bash
# `--trainer llama-factory` with the real LLaMA-Factory. $LLAMAFACTORY_PYTHON: an environment that has it already.
exec bash "$(dirname "$0")/trainers/train.sh" llama-factory "${LLAMAFACTORY_PYTHON:-}" python3 llamafactory==0.9.5 transformers==5.6.0 torch==2.13.0
