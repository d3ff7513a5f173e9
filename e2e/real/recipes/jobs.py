"""Puts one managed job in each status that SkyPilot has into its own database, with its own functions, named ms-STATUS.
Prints the statuses. The machine runs none of them: there is no cloud."""
import asyncio
import time

from sky.jobs import state
from sky.jobs.state import ManagedJobStatus as Status
from sky.utils import common_utils

FAILURES = {
    Status.FAILED: "Job exited with exit code 75 (user program failure). To see the details, run: sky jobs logs --controller 1",
    Status.FAILED_SETUP: "Job exited with exit code 127 (user program failure). To see the details, run: sky jobs logs --controller 1",
    Status.FAILED_PRECHECKS: "[sky.exceptions.ResourcesUnavailableError] No cloud has it.",
    Status.FAILED_NO_RESOURCE: "[sky.exceptions.ManagedJobReachedMaxRetriesError] Resources cannot be provisioned.",
    Status.FAILED_CONTROLLER: "Controller process has exited abnormally (Controller process is dead).",
}


async def nothing(*_):
    return None


async def put(status: Status) -> None:
    name = f"ms-{status.value}"
    job = state.set_job_info_without_job_id(name, "default", "", None, None, common_utils.get_user_hash(), execution="serial")
    state.set_pending(job, 0, name, "1x[CPU:1+]", "{}")
    if status == Status.PENDING:
        return
    await state.set_starting_async(job, 0, "sky-1", time.time(), "1x[CPU:1+]", {}, nothing)
    if status in (Status.STARTING, Status.DEPRECATED_SUBMITTED):
        return
    if status in (Status.FAILED_PRECHECKS, Status.FAILED_NO_RESOURCE, Status.FAILED_CONTROLLER):
        return await state.set_failed_async(job, 0, status, FAILURES[status], nothing)
    await state.set_started_async(job, 0, time.time(), nothing)
    match status:
        case Status.RUNNING:
            return
        case Status.WINDING_DOWN:
            state.set_winding_down(job, 0)
        case Status.RECOVERING:
            await state.set_recovering_async(job, 0, False, nothing)
        case Status.CANCELLING | Status.CANCELLED:
            await state.set_cancelling_async(job, nothing)
            if status == Status.CANCELLED:
                await state.set_cancelled_async(job, nothing)
        case Status.SUCCEEDED:
            await state.set_succeeded_async(job, 0, time.time(), nothing)
        case _:
            await state.set_failed_async(job, 0, status, FAILURES[status], nothing)


async def main() -> None:
    for status in Status:
        await put(status)
        print(status.value)


asyncio.run(main())
