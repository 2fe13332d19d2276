# --------------------------------------------------------------------------------------------------- the lease
import fcntl
import json
import os
import time

LEASE = "/var/lib/ale/lease.json"


def lease_holder():
    try:
        with open(LEASE) as file:
            return json.load(file)["id"]
    except (OSError, ValueError):
        return None


def op_lease(request, *_):
    """Takes the machine for one owner; answers who has it when another does and his time is not over."""
    os.makedirs(os.path.dirname(LEASE), mode=0o700, exist_ok=True)
    with open(LEASE, "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        try:
            held = json.loads(file.read())
        except ValueError:
            held = None
        mine = held is not None and held["id"] == request["id"]
        if request["seconds"] < 0:
            if mine:
                file.truncate(0)
            return {"released": mine}
        if held is not None and not mine and held["until"] > time.time() and not request.get("force"):
            return {"heldBy": held}
        file.truncate(0)
        until = time.time() + request["seconds"]
        file.write(json.dumps({"id": request["id"], "until": until, "holder": request["holder"]}))
    return {}
