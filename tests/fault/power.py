# SPDX-License-Identifier: MIT
"""What a power cut leaves of a run that was killed while shim.c wrote a log: what was not synced is undone, torn or kept at
random, names as well as bytes."""
import os, shutil, signal

from runs import RANDOM, read_log, run_logged


def kill_at(case, index, scratch, cut, counts):
    """Kills a run before a call, or cuts the power there, and resumes it. False: the run ended before."""
    status, log, keep, _ = run_logged(case, scratch, keeps=cut, FAULT_KILL=str(index))
    if status != -signal.SIGKILL:
        return False
    how = "%s before call %d" % ("power cut" if cut else "kill", index)
    if cut:
        power_cut(case, log, keep)
    case.check_final(how)
    counts["kills"] += 1
    counts["after"] += case.after_checkpoint()
    case.go_on(how, 0.2)
    return True


def power_cut(case, log, keep):
    """Takes away what was not synced: names from the last ones back, and bytes that may be lost, kept or torn."""
    sizes, synced, names = {}, {}, []
    for index, (call, _, to, number, path, _) in enumerate(read_log(log), 1):
        path = os.path.join(case.folder, path)
        if call == "write":
            sizes[path] = sizes.get(path, 0) + number
        elif call in ("create", "ftruncate"):
            sizes[path] = number
            synced[path] = min(synced.get(path, 0), number)
        elif call == "fsync" and os.path.isdir(path):
            names = [n for n in names if os.path.dirname(n[1]) != path.rstrip("/")]
        elif call == "fsync":
            synced[path] = sizes.get(path, 0)
        elif call == "rename":
            target = os.path.join(os.path.dirname(path), to)
            sizes[target], synced[target] = sizes.pop(path, 0), synced.pop(path, 0)
            names.append((index, target, path))
        if call in ("create", "unlink"):
            names.append((index, path, call))
    for path, size in sizes.items():
        if os.path.exists(path):
            tear(path, synced.get(path, 0))
    for index, path, what in reversed(names[RANDOM.randint(0, len(names)):]):
        undo(index, path, what, keep)


def tear(path, synced):
    size = os.path.getsize(path)
    if size <= synced:
        return
    with open(path, "r+b") as f:
        for at in range(synced // 4096 * 4096, size, 4096):
            if RANDOM.random() < 0.5:
                begin = max(at, synced)
                f.seek(begin)
                f.write(b"\0" * (min(at + 4096, size) - begin))
        f.truncate(RANDOM.randint(synced, size))


def undo(index, path, what, keep):
    old = "%s/%d.old" % (keep, index)
    if what == "create":
        if os.path.exists(path):
            os.unlink(path)
        return
    if what != "unlink" and os.path.exists(path):
        os.rename(path, what)  # back to the name it had
    if os.path.exists(old):
        shutil.copyfile(old, path)
