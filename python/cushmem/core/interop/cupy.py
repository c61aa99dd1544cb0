"""What nvshmem.core.interop.cupy has."""

from cushmem.core import arrays as _arrays

array = _arrays.array
array_get_buffer = _arrays.array_get_buffer
free_array = _arrays.free_array
get_multicast_array = _arrays.get_multicast_array
get_peer_array = _arrays.get_peer_array
register_external_array = _arrays.register_external_array
unregister_external_array = _arrays.unregister_external_array
