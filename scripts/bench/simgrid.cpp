// M/M/c in SimGrid, as its own examples write such things: an actor for each customer, a semaphore for the servers. Prints the CPU seconds that the
// run took and the mean wait in service times.
//
// Usage: simgrid CUSTOMERS SERVERS LOAD

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

int main(int argc, char **argv) {
  sg4::Engine engine(&argc, argv);
  if (argc != 4) return 2;
  const long customers = std::atol(argv[1]);
  const int servers = std::atoi(argv[2]);
  const double load = std::atof(argv[3]);

  auto *zone = sg4::create_full_zone("world");
  auto *host = zone->create_host("station", 1e9);
  zone->seal();

  std::mt19937_64 arrivals(1), services(2);
  std::exponential_distribution<double> gap(load), service(1.0);
  auto station = sg4::Semaphore::create(servers);
  double waited = 0;

  sg4::Actor::create("source", host, [&] {
    for (long i = 0; i < customers; i++) {
      sg4::this_actor::sleep_for(gap(arrivals));
      sg4::Actor::create("customer", host, [&] {
        const double arrival = sg4::Engine::get_clock();
        station->acquire();
        waited += sg4::Engine::get_clock() - arrival;
        sg4::this_actor::sleep_for(service(services));
        station->release();
      });
    }
  });

  const std::clock_t began = std::clock();
  engine.run();
  const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("%.6f %.6f\n", took, waited / customers);
}
