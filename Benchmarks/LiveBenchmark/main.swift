// Prints how soon the design of a store knows of an event, beside a bare loop that sees the same
// event in the same process. Benchmarks/watching measures the commands.
//
// The event is that a directory comes or goes, which the permission for the album depends on; the
// store looks at that permission alone again. What a library of screens does with the design is left
// out, and so is what udev needs until a device has its node.
//
// With the argument `camera` it prints instead when a store knows of a camera: see Benchmarks/hotplug.

if CommandLine.arguments.dropFirst().first == "camera" {
  await CameraMoments.printAll()
} else {
  await Delay.measure()
}
