"""M/M/c in SimPy, as its own documentation writes it: a Resource and one process per customer.

SimPy 3 and 4 are the module `simpy`; Debian's python3-simpy is SimPy 2, the module `SimPy`. Prints the CPU seconds that the run took, the mean
wait in service times, and the version.

Usage: mmc.py CUSTOMERS SERVERS LOAD
"""

import random
import sys
import time

customers, servers, load = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
waited = 0.0


def with_simpy_4(simpy):
    def customer(env, station):
        global waited
        arrival = env.now
        with station.request() as turn:
            yield turn
            waited += env.now - arrival
            yield env.timeout(random.expovariate(1.0))

    def source(env, station):
        for _ in range(customers):
            yield env.timeout(random.expovariate(load))
            env.process(customer(env, station))

    env = simpy.Environment()
    env.process(source(env, simpy.Resource(env, servers)))
    return env.run


def with_simpy_2(simpy):
    class Customer(simpy.Process):
        def visit(self, station):
            global waited
            arrival = self.sim.now()
            yield simpy.request, self, station
            waited += self.sim.now() - arrival
            yield simpy.hold, self, random.expovariate(1.0)
            yield simpy.release, self, station

    class Source(simpy.Process):
        def generate(self, station):
            for _ in range(customers):
                yield simpy.hold, self, random.expovariate(load)
                visitor = Customer(sim=self.sim)
                self.sim.activate(visitor, visitor.visit(station))

    sim = simpy.Simulation()
    sim.initialize()
    source = Source(sim=sim)
    sim.activate(source, source.generate(simpy.Resource(capacity=servers, sim=sim)))
    return lambda: sim.simulate(until=1e18)


random.seed(1)
try:
    import simpy

    version, run = simpy.__version__, with_simpy_4(simpy)
except ImportError:
    import SimPy
    import SimPy.Simulation

    version, run = SimPy.__version__, with_simpy_2(SimPy.Simulation)

began = time.process_time()
run()
print(f"{time.process_time() - began:.6f} {waited / customers:.6f} {version}")
