# ---------------------------------------------------------------------------------- the command's own process
import os
import resource


def become(user, limits, identity):
    if user == "root":
        os.setgroups([])
        return
    most = limits.get("maxProcesses")
    if most:
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    uid, gid, groups = identity
    os.setgroups(groups)
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    prctl(38, 1)


def find_program(name, path):
    if "/" in name:
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return name
        raise FileNotFoundError("there is no program " + name)
    for folder in path.split(":"):
        candidate = os.path.join(folder, name)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    raise FileNotFoundError("there is no program " + name)


def start_program(request, failure):
    """Last steps of the command's own process; returns only by replacing the program or writing why not."""
    try:
        os.setsid()
        limits, identity = request["limits"], request["identity"]
        if request["network"] == "sandbox" and limits.get("ownNetwork"):
            enter_network()
        if request["user"] == "agent":
            # Whoever opens /dev/stdout by name must own what is behind it.
            for number in range(3):
                os.fchown(number, identity[0], identity[1])
        become(request["user"], limits, identity)
        try:
            os.chdir(request["cwd"])
        except OSError:
            raise FileNotFoundError("the working directory %s cannot be entered" % request["cwd"])
        environment = dict(request["env"], PWD=request["cwd"])
        program = find_program(request["argv"][0], environment.get("PATH", ""))
        os.execve(program, request["argv"], environment)
    except BaseException as error:
        text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        os.write(failure, text.encode("utf-8", "replace")[:2000])
    os._exit(127)
