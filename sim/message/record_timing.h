/* Describes messages to the record of the timing model. */
#ifndef CMKIT_SIM_MESSAGE_RECORD_TIMING_H
#define CMKIT_SIM_MESSAGE_RECORD_TIMING_H

#include "sim/message/request.h"

/* Records a request that is about to be performed. message->state->record must not be NULL. */
void message_record_timing(struct request *request);

#endif
