"""Machines with one fault each: what people write by mistake, by the hundred."""

from __future__ import annotations

from typing import Final

HEAD = "linkwork = 1\n"
GOOD = """\
linkwork = 1
[parameter]
a = 2
[part.ground]
points = { A = [0, 0], D = [7, 0] }
[part.crank]
points = { A = [0, 0], B = ["a", 0] }
mass = 1
[part.rod]
points = { B = [0, 0], C = [3, 0] }
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[drive.crank]
joint = "A"
"""


def changed(old: str, new: str) -> str:
    """The good machine with one piece replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def with_more(more: str) -> str:
    """The good machine with more behind it; it begins in line 19."""
    return GOOD + more


def in_space(more: str) -> str:
    """Two parts in space and more, which begins in line 5."""
    return f"{HEAD}dimension = 3\n[part.p]\n[part.q]\n{more}"


FAULTS: Final[dict[str, str]] = {
    "missing part": changed('"crank.B", "rod.B"', '"crnk.B", "rod.B"'),
    "missing point": changed('"crank.B", "rod.B"', '"crank.BB", "rod.B"'),
    "missing point far": changed('"crank.B", "rod.B"', '"crank.zzz", "rod.B"'),
    "two parts": with_more("[part.rod]\nmass=1\n"),
    "clash": with_more('[joint.rod]\ntype="revolute"\nbetween=["ground.D","rod.C"]\n'),
    "frame clash": with_more("[frame.rod]\nat=[0,0]\n"),
    "unknown type": changed('"revolute"', '"revolut"'),
    "unknown type far": changed('"revolute"', '"xyz"'),
    "type number": changed('"revolute"', "3"),
    "missing type": changed('type = "revolute"\n', ""),
    "unknown key": changed("mass = 1", "masss = 1"),
    "unknown key joint": changed('between = ["ground.A"', 'betwen = ["ground.A"'),
    "between 1": changed('["ground.A", "crank.A"]', '["ground.A"]'),
    "between 3": changed('["ground.A", "crank.A"]', '["ground.A", "crank.A", "rod.B"]'),
    "between text": changed('["ground.A", "crank.A"]', '"ground.A"'),
    "between number": changed('["ground.A", "crank.A"]', '["ground.A", 3]'),
    "3-vector": changed("[3, 0]", "[3, 0, 0]"),
    "1-vector": changed("[3, 0]", "[3]"),
    "4-vector": changed("[3, 0]", "[3, 0, 0, 0]"),
    "point number": changed("[3, 0]", "3"),
    "points number": changed("{ B = [0, 0], C = [3, 0] }", "3"),
    "points list": changed("{ B = [0, 0], C = [3, 0] }", "[[0,0]]"),
    "conflicting drives": with_more('[drive.other]\nof="crank.angle"\n'),
    "drive ground": with_more('[drive.other]\nof="ground.x"\n'),
    "drive ground pt": with_more('[drive.other]\nof="ground.A.x"\n'),
    "drive nothing": with_more("[drive.other]\n"),
    "drive both": with_more('[drive.other]\njoint="B"\nof="rod.x"\n'),
    "drive missing joint": changed('joint = "A"', 'joint = "AA"'),
    "drive missing coord": with_more('[drive.o]\njoint="B"\ncoordinate="angel"\n'),
    "drive missing part": with_more('[drive.o]\nof="rodd.x"\n'),
    "drive missing which": with_more('[drive.o]\nof="rod.q"\n'),
    "drive no dot": with_more('[drive.o]\nof="rod"\n'),
    "drive of a weld": with_more(
        '[joint.W]\ntype="fixed"\nbetween=["ground.D","rod.C"]\n[drive.o]\njoint="W"\n'
    ),
    "drive without a start": changed('joint = "A"', 'joint = "A"\nvalue = "log(t - 1)"'),
    "blank mass": changed("mass = 1", 'mass = ""'),
    "same axle twice": with_more('[joint.R]\ntype="gear"\naxles=["A","A"]\nteeth=[3,4]\n'),
    "drive rate 0": changed('joint = "A"', 'joint = "A"\nrate = 0'),
    "drive value and range": changed('joint = "A"', 'joint = "A"\nvalue = "t"\nrange=[0,1]'),
    "drive t in range": changed('joint = "A"', 'joint = "A"\nrange=[0,"t"]'),
    "drive state": changed('joint = "A"', 'joint = "A"\nvalue="crank.x"'),
    "drive empty range": changed('joint = "A"', 'joint = "A"\nrange=[1,1]'),
    "cyclic param": changed("a = 2", 'a = "b"\nb = "a"'),
    "cyclic frames": with_more('[frame.f]\non="g"\n[frame.g]\non="f"\n'),
    "own frame": with_more('[frame.f]\non="f"\n'),
    "frame on missing": with_more('[frame.f]\non="rodd"\n'),
    "nan": changed("mass = 1", "mass = nan"),
    "inf vec": changed("[3, 0]", "[inf, 0]"),
    "1/0": changed("mass = 1", 'mass = "1/0"'),
    "log(-1)": changed("mass = 1", 'mass = "log(-1)"'),
    "neg mass": changed("mass = 1", "mass = -1"),
    "neg mass expr": changed("mass = 1", 'mass = "a - 3"'),
    "neg inertia": changed("mass = 1", "inertia = -1"),
    "neg density": changed("mass = 1", 'density = -1\nshape={form="disc",radius=1}'),
    "density alone": changed("mass = 1", "density = 1"),
    "shape no density": changed("mass = 1", 'shape={form="disc",radius=1}'),
    "shape no radius": changed("mass = 1", 'density=1\nshape={form="disc"}'),
    "shape neg radius": changed("mass = 1", 'density=1\nshape={form="disc", radius=-1}'),
    "shape bad form": changed("mass = 1", 'density=1\nshape={form="disk", radius=1}'),
    "shape space form": changed("mass = 1", 'density=1\nshape={form="sphere", radius=1}'),
    "shape poly 2": changed("mass = 1", 'density=1\nshape={form="polygon", points=[[0,0],[1,0]]}'),
    "shape poly flat": changed("mass = 1", 'density=1\nshape={form="polygon", points=[[0,0],[1,0],[2,0]]}'),
    "shape number": changed("mass = 1", "density=1\nshape=3"),
    "shape and mass": changed("mass = 1", 'mass=2\ndensity=1\nshape={form="disc", radius=1}'),
    "inertia 3": changed("mass = 1", "mass=2\ninertia=[1,2,3]"),
    "inertia []": changed("mass = 1", "mass=2\ninertia=[]"),
    "inertia 7": changed("mass = 1", "mass=2\ninertia=[1,1,1,1,1,1,1]"),
    "unknown name point": changed('"a", 0', '"b", 0'),
    "unknown name point near": changed('"a", 0', '"A", 0')
    .replace("a = 2", "abc = 2")
    .replace('"A", 0', '"abd", 0'),
    "unknown name force": with_more('[force.f]\ntype="force"\nat="rod.C"\nforce=["rod.C.xx",0]\n'),
    "unknown name force2": with_more('[force.f]\ntype="force"\nat="rod.C"\nforce=["B.displacement",0]\n'),
    "unknown name lift": with_more('[joint.c]\ntype="cam"\naxles=["A","B"]\nlift="angel"\n'),
    "force missing": with_more('[force.f]\ntype="force"\nat="rod.D"\nforce=[1,0]\n'),
    "force type": with_more('[force.f]\ntype="forc"\nat="rod.D"\nforce=[1,0]\n'),
    "torque 3": with_more('[force.f]\ntype="torque"\non="rod"\ntorque=[1,0,0]\n'),
    "torsion joint": with_more('[force.f]\ntype="torsion-spring"\njoint="Q"\n'),
    "torsion no angle": with_more(
        '[joint.P]\ntype="prismatic"\nbetween=["ground.D","rod.C"]\n[force.f]\ntype="torsion-spring"\njoint="P"\n'
    ),
    "gravity 3": changed("[parameter]", "gravity=[0,0,-9]\n[parameter]"),
    "gravity name": changed("[parameter]", 'gravity=[0,"-g"]\n[parameter]'),
    "gravity log": changed("[parameter]", 'gravity=[0,"log(-1)"]\n[parameter]'),
    "gravity number": changed("[parameter]", "gravity=9.81\n[parameter]"),
    "param t": changed("a = 2", "a = 2\nt = 3"),
    "definition t": with_more('[definition]\nt = "2*a"\n'),
    "param coord": changed("a = 2", 'a = 2\n"crank.x" = 3'),
    "definition coord": with_more('[definition]\n"crank.x" = "2*a"\n'),
    "definition unknown state": with_more('[definition]\nd = "crank.xx"\n'),
    "definition joint state": with_more('[definition]\nd = "B.displacement"\n'),
    "dimension 4": HEAD + "dimension = 4\n",
    "part dotted": with_more("[part.big.wheel]\nmass=1\n"),
    "part quoted dot": with_more('[part."big.wheel"]\nmass=1\n'),
    "part bad name": with_more('[part."big wheel"]\nmass=1\n'),
    "part sin": with_more("[part.sin]\nmass=1\n"),
    "point bad name": changed("C = [3, 0]", '"C D" = [3, 0]'),
    "point dotted": changed("C = [3, 0]", '"C.D" = [3, 0]'),
    "[[joint]]": HEAD + '[[joint]]\ntype="revolute"\n',
    "joint=3": HEAD + "joint = 3\n",
    "joint.A=3": HEAD + "joint.A = 3\n",
    "part.crank = 3": HEAD + "part.crank = 3\n",
    "start number": changed("mass = 1", "start = 3"),
    "start key": changed("mass = 1", "start = { angle = 3 }"),
    "start x 0": changed("mass = 1", "start = { x = [0, 0] }"),
    "start z plane": changed("mass = 1", "start = { z = [0, 0, 1] }"),
    "start axis plane": changed("mass = 1", "start = { turn = 1, axis = [0, 0, 1] }"),
    "frame x 0": with_more('[frame.f]\non="rod"\nx=[0,0]\n'),
    "ground start": changed("D = [7, 0] }", "D = [7, 0] }\nstart={at=[1,0]}"),
    "spherical in plane": changed('"revolute"', '"spherical"'),
    "rolling in space": in_space('[joint.A]\ntype="rolling"\nbetween=["p","q"]\n'),
    "axis 2 in space": in_space('[joint.A]\ntype="revolute"\nbetween=["p","q"]\naxis=[1,0]\n'),
    "axis 0 in space": in_space('[joint.A]\ntype="revolute"\nbetween=["p","q"]\naxis=[0,0,0]\n'),
    "axis 3 in plane": changed(
        'between = ["ground.A", "crank.A"]', 'between = ["ground.A", "crank.A"]\naxis=[0,0,1]'
    ),
    "rack in space": in_space('[joint.A]\ntype="rack"\npinion="p"\nrack="q"\n'),
    "rack nothing": with_more('[joint.R]\ntype="rack"\n'),
    "rack axis 0": with_more('[joint.R]\ntype="rack"\npinion="crank"\nrack="rod"\naxis=[0,0]\n'),
    "gear nothing": with_more('[joint.R]\ntype="gear"\n'),
    "gear teeth 0": with_more('[joint.R]\ntype="gear"\nparts=["crank","rod"]\nteeth=[0,3]\n'),
    "gear teeth p0": with_more('[joint.R]\ntype="gear"\nparts=["crank","rod"]\nteeth=["a-2",3]\n'),
    "gear teeth 1": with_more('[joint.R]\ntype="gear"\nparts=["crank","rod"]\nteeth=[3]\n'),
    "gear axles missing": with_more('[joint.R]\ntype="gear"\naxles=["A","Z"]\nteeth=[3,4]\n'),
    "gear axles no angle": with_more(
        '[joint.P]\ntype="prismatic"\nbetween=["ground.D","rod.C"]\n[joint.R]\ntype="gear"\naxles=["A","P"]\nteeth=[3,4]\n'
    ),
    "gear axles itself": with_more('[joint.R]\ntype="gear"\naxles=["A","R"]\nteeth=[3,4]\n'),
    "cam nothing": with_more('[joint.R]\ntype="cam"\n'),
    "cam lift no axles": with_more('[joint.R]\ntype="cam"\nlift="2"\n'),
    "cam axles no lift": with_more('[joint.R]\ntype="cam"\naxles=["A","B"]\n'),
    "cam axles profile": with_more('[joint.R]\ntype="cam"\naxles=["A","B"]\nprofile="2"\n'),
    "cam between no profile": with_more('[joint.R]\ntype="cam"\nbetween=["crank","rod"]\n'),
    "cam samples few": with_more(
        '[joint.R]\ntype="cam"\nbetween=["crank","rod"]\nprofile_samples=[[0,1],[1,2]]\n'
    ),
    "cam samples falling": with_more(
        '[joint.R]\ntype="cam"\nbetween=["crank","rod"]\nprofile_samples=[[0,1],[2,2],[1,2]]\n'
    ),
    "cam samples param": with_more(
        '[joint.R]\ntype="cam"\nbetween=["crank","rod"]\nprofile_samples=[[0,1],[1,"a"],[2,2]]\n'
    ),
    "cam samples turn": with_more(
        '[joint.R]\ntype="cam"\nbetween=["crank","rod"]\nprofile_samples=[[0,1],[1,2],["360 deg",1]]\n'
    ),
    "curve nothing": with_more('[joint.R]\ntype="point-on-curve"\nbetween=["crank","rod"]\n'),
    "curve param samples": with_more(
        '[joint.R]\ntype="point-on-curve"\nbetween=["crank","rod"]\nsamples=[[0,0],["a",1],[3,3]]\n'
    ),
    "curve t": with_more(
        '[joint.R]\ntype="point-on-curve"\nbetween=["crank","rod"]\ncurve=["cos(t)","sin(t)"]\n'
    ),
    "curve 2 in space": in_space('[joint.A]\ntype="point-on-curve"\nbetween=["p","q"]\ncurve=["s","s"]\n'),
    "level z": with_more('[joint.R]\ntype="point-on-curve"\nbetween=["crank","rod"]\nlevel="x+z"\n'),
    "coordinate of": with_more('[joint.R]\ntype="coordinate"\nof="rod.xx"\n'),
    "coordinate of none": with_more('[joint.R]\ntype="coordinate"\nof="rod"\n'),
    "coordinate no of": with_more('[joint.R]\ntype="coordinate"\n'),
    "coordinate ground": with_more('[joint.R]\ntype="coordinate"\nof="ground.x"\n'),
    "distance 0": with_more('[joint.R]\ntype="distance"\nbetween=["crank","rod"]\nlength=0\n'),
    "distance neg": with_more('[joint.R]\ntype="distance"\nbetween=["crank","rod"]\nlength=-1\n'),
    "itself": with_more('[joint.R]\ntype="revolute"\nbetween=["rod.B","rod.C"]\n'),
    "ground ground": with_more('[joint.R]\ntype="revolute"\nbetween=["ground.A","ground.D"]\n'),
    "parts no at": with_more('[joint.R]\ntype="revolute"\nparts=["ground","rod"]\n'),
    "parts and between": with_more(
        '[joint.R]\ntype="revolute"\nparts=["ground","rod"]\nbetween=["rod","crank"]\n'
    ),
    "neither": with_more('[joint.R]\ntype="revolute"\n'),
    "parts point": with_more('[joint.R]\ntype="revolute"\nparts=["ground.A","rod"]\nat=[0,0]\n'),
    "between at": with_more('[joint.R]\ntype="revolute"\nat=[0,0]\nbetween=["rod","crank"]\n'),
    "steps 0": with_more("[time]\nsteps=0\n"),
    "steps text": with_more('[time]\nsteps="a"\n'),
    "steps 1.5": with_more("[time]\nsteps=1.5\n"),
    "time t": with_more('[time]\nuntil="t"\n'),
    "time same": with_more("[time]\nuntil=0\n"),
    "time key": with_more("[time]\nstop=3\n"),
    "time number": changed("[parameter]", "time = 3\n[parameter]"),
    "view trace": with_more('[view]\ntraces=["rod.Q"]\n'),
    "view trace text": with_more('[view]\ntraces="rod.C"\n'),
    "draw shape": changed("mass = 1", 'draw=[{shape="circle"}]'),
    "draw table": changed("mass = 1", 'draw={shape="disc"}'),
    "draw radius": changed("mass = 1", 'draw=[{shape="disc", radius="q"}]'),
    "unit bad": with_more('[units]\nlenght="mm"\n'),
    "not toml": "<html>\n",
    "part mass true": changed("mass = 1", "mass = true"),
    "mass list": changed("mass = 1", "mass = [1]"),
    "mass date": changed("mass = 1", "mass = 1979-05-27"),
    "mass unquoted": changed("mass = 1", "mass = 2*a"),
    "drive name bad": with_more('[drive."a b"]\njoint="B"\n'),
    "joints no parts": HEAD + '[joint.A]\ntype="revolute"\nbetween=["ground","crank"]\n',
    "frame ground": with_more("[frame.ground]\n"),
    "crossed text": with_more('[joint.R]\ntype="belt"\nparts=["crank","rod"]\nradii=[1,2]\ncrossed="yes"\n'),
    "restitution above 1": with_more("[contact]\nrestitution=2\n"),
    "surface list": with_more("[[surface]]\n"),
}
"""What is wrong, and the text of a file that has it."""
