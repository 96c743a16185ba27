// Compares the delay until a store's design reflects an event with that of a bare loop in the same
// process. Benchmarks/watching measures the commands.
//
// The event is the creation or removal of the album directory, after which the store checks only
// the permission for the album. The time that udev needs to create a device node and the time that
// a user interface needs to show the design are not included.
//
// With the argument `camera`, it instead prints when a store reflects a camera; see
// Benchmarks/hotplug.

if CommandLine.arguments.dropFirst().first == "camera" {
  await CameraMoments.printAll()
} else {
  await Delay.measure()
}
