"""Computes a molecular system's energy and forces on OpenMM's OpenCL and reference platforms, and prints them."""
import sys

import numpy as np
import openmm
from openmm import unit

COUNT, BOX = 27, 1.5


def system():
    """27 charged particles on a perturbed grid in a periodic box, and springs between neighbours."""
    result = openmm.System()
    result.setDefaultPeriodicBoxVectors((BOX, 0, 0), (0, BOX, 0), (0, 0, BOX))
    nonbonded = openmm.NonbondedForce()
    nonbonded.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    nonbonded.setCutoffDistance(0.6)
    springs = openmm.HarmonicBondForce()
    for i in range(COUNT):
        result.addParticle(10.0)
        nonbonded.addParticle(0.3 if i % 2 else -0.3, 0.2, 0.5)
        if i:
            springs.addBond(i - 1, i, 0.5, 200.0)
    result.addForce(nonbonded)
    result.addForce(springs)
    return result


def positions():
    grid = np.stack(np.meshgrid(*[np.arange(3)] * 3, indexing="ij"), -1).reshape(-1, 3) * 0.5
    return grid + np.random.default_rng(1).uniform(-0.05, 0.05, (COUNT, 3))


def forces(name):
    platform = openmm.Platform.getPlatformByName(name)
    context = openmm.Context(system(), openmm.VerletIntegrator(0.001), platform)
    context.setPositions(positions())
    results = []
    for steps in (0, 2):
        context.getIntegrator().step(steps)
        state = context.getState(getForces=True, getEnergy=True)
        results.append(state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole))
        results.extend(np.asarray(state.getForces(asNumpy=True)).ravel().tolist())
    return np.array(results)


openmm.Platform.loadPluginsFromDirectory(sys.argv[1])
here, there = forces("OpenCL"), forces("Reference")
print("difference", np.abs(here - there).max() / np.abs(there).max())
